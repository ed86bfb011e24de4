"""The web page: static files that talk to the gateway's API as any client does, over HTTP.

The page keeps the conversation; the gateway keeps nothing. No file comes from elsewhere, none is built, and the
Content-Security-Policy lets no script run but these files: not one in an answer, a cell or a document.
"""

from tzzr_mcp.gateway.page.files import mount_page

__all__ = ["mount_page"]
