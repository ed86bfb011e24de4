"""S-CONTRACT v2.1: what travels between the MCP server and GRACE. Pure: no I/O, no clock, no chance."""
