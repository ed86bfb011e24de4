"""Anthropic's API: ``/v1/messages`` and ``/v1/messages/count_tokens`` (docs.anthropic.com/en/api/messages)."""
