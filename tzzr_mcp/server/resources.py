"""``resources/list``, ``resources/templates/list`` and ``resources/read``."""

from __future__ import annotations

from mcp import types as t
from mcp.server.apps import client_supports_apps

from tzzr_mcp.contract.errors import ArgumentInvalid
from tzzr_mcp.plugins.api import Resource, ResourceNotFound, ResourceTemplate
from tzzr_mcp.plugins.lowlevel import RawResource
from tzzr_mcp.server import apps
from tzzr_mcp.server.door import answered
from tzzr_mcp.server.errors import failed, invalid_params, resource_not_found
from tzzr_mcp.server.paging import page
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Owned
from tzzr_mcp.server.runtime import Context, Runtime, Visit

Result = t.ReadResourceResult | t.InputRequiredResult


class Resources:
    """The resources of one server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._static = [_resource(owned) for owned in runtime.registry.resources.values()]
        self._apps = [apps.listed()] if apps.any_drawn(runtime.registry) else []
        self._templates = [_template(owned) for owned in runtime.registry.templates.values()]

    async def list(self, ctx: Context, params: t.PaginatedRequestParams | None) -> t.ListResourcesResult:
        """The static resources in the order of the catalogue; to a host that draws results, the page that does it too."""
        if self._apps and client_supports_apps(ctx):
            every, further = page([*self._static, *self._apps], params, self._runtime.page_size)
            return t.ListResourcesResult(resources=every, next_cursor=further, cache_scope="private")
        resources, further = page(self._static, params, self._runtime.page_size)
        return t.ListResourcesResult(resources=resources, next_cursor=further)

    async def list_templates(
        self, ctx: Context, params: t.PaginatedRequestParams | None
    ) -> t.ListResourceTemplatesResult:
        """The templates in the order of the catalogue."""
        templates, further = page(self._templates, params, self._runtime.page_size)
        return t.ListResourceTemplatesResult(resource_templates=templates, next_cursor=further)

    async def read(self, ctx: Context, params: t.ReadResourceRequestParams) -> Result:
        """The text of one resource.

        Raises:
            MCPError: nothing answers to that URI (-32002, or -32602 from 2026-07-28 on), or it cannot be read (-32603).
        """
        uri = str(params.uri)
        visit = self._runtime.begin(ctx)
        visit.record("resource.start", uri=uri)
        outcome = "CANCELLED"
        try:
            result = await self._result(visit, uri, params)
            outcome = "OK"
        except ResourceNotFound as error:
            outcome = "NOT_FOUND"
            raise resource_not_found(str(error), uri, ctx.protocol_version) from None
        except ArgumentInvalid as error:
            outcome = str(error.failure.code)
            raise invalid_params(str(error), uri=uri) from None
        except Exception as error:
            failure = visit.failure_of(error)
            outcome = str(failure.code)
            raise failed(failure, uri=uri) from None
        finally:
            visit.record("resource.end", uri=uri, outcome=outcome)
        return result

    async def _result(self, visit: Visit, uri: str, params: t.ReadResourceRequestParams) -> Result:
        if self._apps and uri == apps.URI:
            return apps.contents()
        found = self._runtime.view.find(uri)
        if isinstance(found.owned.item, RawResource):
            raw: Result = await answered(visit, found.owned.item.read, params)
            return raw
        deadline = visit.deadline()

        async def work() -> str:
            call = await visit.call(found.owned.plugin, found.variables, deadline)
            return await resolve(found.owned.item.read)(call)

        text, mime_type = await self._runtime.running.within(deadline, work), found.owned.item.mime_type
        return t.ReadResourceResult(contents=[t.TextResourceContents(uri=uri, mime_type=mime_type, text=text)])


def _resource(owned: Owned[Resource]) -> t.Resource:
    item = owned.item
    return t.Resource(
        uri=item.uri, name=item.name, title=item.title, description=item.description, mime_type=item.mime_type
    )


def _template(owned: Owned[ResourceTemplate]) -> t.ResourceTemplate:
    item = owned.item
    return t.ResourceTemplate(
        uri_template=item.uri_template,
        name=item.name,
        title=item.title,
        description=item.description,
        mime_type=item.mime_type,
    )
