"""How well an S-CONTRACT service reads: invoices, languages and kinds of documents whose truth is known."""
