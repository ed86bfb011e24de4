"""The model's fake: OpenAI's chat completions and Anthropic's messages, scripted or choosing by itself."""

from __future__ import annotations

from tzzr_mocks.llm.app import LlmFake

__all__ = ["LlmFake"]
