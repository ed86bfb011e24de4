"""From the environment to a serving process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping

from tzzr_mcp.plugins.api import Plugin, PluginSettings
from tzzr_mcp.server.build import TzzrServer, build_server
from tzzr_mcp.server.discovery import Offline, discover, installed, offline_variables, open_offline
from tzzr_mcp.server.logs import configure_logs
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.server.transports.lines import claimed_stdio
from tzzr_mcp.server.transports.stdio import serve_stdio
from tzzr_mcp.settings import CoreSettings, listed, peek, unknown_variables, variables

log = logging.getLogger(__name__)


def launch(environ: Mapping[str, str], how: How | None = None) -> int:
    """Build the server that ``environ`` describes and serve it over its transports; returns the exit code.

    Raises:
        StartError: a setting, a plugin or the offline world is missing or wrong.
    """
    how = how or How()
    if str(peek(environ, "TZZR_TRANSPORT")).strip() == "stdio":
        with claimed_stdio() as (stdin, stdout):
            return asyncio.run(serve_stdio(prepare(environ, offline=how.offline), stdin, stdout))
    # Only here: a client that starts the server over stdio does not wait for what serves HTTP.
    from tzzr_mcp.server.transports.web import serve  # noqa: PLC0415

    return serve(prepare(environ, offline=how.offline), how, environ)


def prepare(environ: Mapping[str, str], *, offline: bool) -> TzzrServer:
    """The server, its logs configured and what is odd about its settings logged.

    Raises:
        StartError: a setting, a plugin or the offline world is missing or wrong.
    """
    world = open_offline(environ) if offline or peek(environ, "TZZR_OFFLINE") else None
    effective = environ if world is None else {**environ, **world.environment}
    plugins = discover(str(peek(environ, "TZZR_PLUGINS")))
    if world is None:
        server = build_server(plugins, effective)
    else:
        server = build_server(plugins, effective, seams=world.seams, transport=world.transport)
    core = server.settings.core
    configure_logs(core.log_level, core.log_format, server.settings.secrets())
    _tell(server, environ, world)
    return server


def _tell(server: TzzrServer, environ: Mapping[str, str], world: Offline | None) -> None:
    own = frozenset(offline_variables(world))
    if unknown_variables(environ, own | _variables(server.registry.plugins)):
        # Only now it is worth importing the plugins that are not enabled, whose variables are no mistakes either.
        for sentence in unknown_variables(environ, own | known_variables()):
            log.warning("%s", sentence)
    if world is not None:
        log.info("offline: answers come from the built-in fakes and are marked as simulated")
        if given := [name for name in world.environment if environ.get(name)]:
            log.warning("offline: %s %s not used", listed(given), "is" if len(given) == 1 else "are")
    plugins, tools = [plugin.name for plugin in server.registry.plugins], len(server.registry.tools)
    counted = f"{tools} tool{'' if tools == 1 else 's'} of the plugin{'' if len(plugins) == 1 else 's'}"
    over = listed(sorted(server.settings.core.transports()))
    log.info("serving %s %s over %s", counted, ", ".join(plugins), over)


def known_variables() -> frozenset[str]:
    """Every variable that the core or any installed plugin reads."""
    return _variables(discover(installed()))


def _variables(plugins: Iterable[Plugin]) -> frozenset[str]:
    models: list[type[PluginSettings]] = [CoreSettings, *(plugin.settings for plugin in plugins)]
    return frozenset(name for model in models for name in variables(model))
