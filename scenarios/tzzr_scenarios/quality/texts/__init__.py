"""Texts whose language, kind or theme is known: plain files, ``= name`` begins a section, ``#`` a comment."""
