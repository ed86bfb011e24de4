"""What the plugin says in Spanish: descriptions that a model chooses tools by, prompts, names of languages."""
