"""Fixtures that return every kind of content block."""

from __future__ import annotations

from mcp import types as t

from tzzr_mcp.plugins.conformance.samples import png, wav
from tzzr_mcp.plugins.lowlevel import RawRequest


def _picture() -> t.ImageContent:
    return t.ImageContent(data=png(), mime_type="image/png")


def _embedded(uri: str, mime_type: str, text: str) -> t.EmbeddedResource:
    return t.EmbeddedResource(resource=t.TextResourceContents(uri=uri, mime_type=mime_type, text=text))


async def image(request: RawRequest) -> t.CallToolResult:
    """A PNG picture."""
    return t.CallToolResult(content=[_picture()])


async def audio(request: RawRequest) -> t.CallToolResult:
    """A WAV sound."""
    return t.CallToolResult(content=[t.AudioContent(data=wav(), mime_type="audio/wav")])


async def embedded(request: RawRequest) -> t.CallToolResult:
    """A resource within the answer."""
    words = "This is an embedded resource content."
    return t.CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", words)])


async def mixed(request: RawRequest) -> t.CallToolResult:
    """Text, picture and resource in one answer."""
    document = _embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return t.CallToolResult(content=[t.TextContent(text="Multiple content types test:"), _picture(), document])


async def binary(request: RawRequest) -> t.ReadResourceResult:
    """A resource of bytes."""
    blob = t.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=png())
    return t.ReadResourceResult(contents=[blob])


async def prompt_with_resource(request: RawRequest) -> t.GetPromptResult:
    """A prompt that embeds the resource whose URI was given."""
    assert isinstance(request.params, t.GetPromptRequestParams)  # noqa: S101 - the core asks prompts for prompts
    uri = (request.params.arguments or {})["resourceUri"]
    document = _embedded(uri, "text/plain", "Embedded resource content for testing.")
    return _prompt(document, "Please process the embedded resource above.")


async def prompt_with_image(request: RawRequest) -> t.GetPromptResult:
    """A prompt with a picture."""
    return _prompt(_picture(), "Please analyze the image above.")


def _prompt(block: t.ContentBlock, words: str) -> t.GetPromptResult:
    contents = (block, t.TextContent(text=words))
    return t.GetPromptResult(messages=[t.PromptMessage(role="user", content=content) for content in contents])
