"""Recorded sessions: a client and a server on stdio, listened to from between, and the scenario that says the same."""
