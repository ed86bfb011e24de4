"""Clients of GRACE, HST and the Context Manager: one door to HTTP, deadlines, retries, breakers, and what is kept."""
