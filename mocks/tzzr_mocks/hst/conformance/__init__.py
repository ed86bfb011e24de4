"""Recorded cases of a real Directus, and how to hold a server to them."""
