"""Rows and documents of a real Directus, as data. What each is and where it comes from: ``SOURCE.md``."""
