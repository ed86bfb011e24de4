"""OpenAI's API: ``/v1/chat/completions`` and ``/v1/models`` (platform.openai.com/docs/api-reference/chat)."""
