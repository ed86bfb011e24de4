"""The ways in which a server meets its clients."""
