"""Searches and what they find."""
