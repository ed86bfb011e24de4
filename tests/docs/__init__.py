"""The docs are held to the code: pages that are made from it, blocks that run."""
