"""From a query string to SQL, one stage a file.

`brackets` (text → nested values) → `read` (→ `model.Query`, shapes checked) → `names` (fields exist and may be seen) →
`filters` (→ typed tree) → `outputs` (columns) → `sql` (tree → SQL with bound values) → `statement` (whole SELECTs).
"""
