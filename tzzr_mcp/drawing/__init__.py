"""How tables and charts are drawn: ES modules and a style sheet, the same for the chat's page and for an MCP host.

Each module imports its neighbours by name (``./dom.js``) and knows nothing of whoever shows it: how a file is handed
over is an argument, and colours are the page's custom properties (``--pane``, ``--text``, ``--line``, ``--main`` …).
"""

from tzzr_mcp.drawing.bundle import bundled
from tzzr_mcp.drawing.files import files_of, texts_of

__all__ = ["bundled", "files_of", "texts_of"]
