"""The plugin API, and one folder per domain. A plugin imports no other plugin."""
