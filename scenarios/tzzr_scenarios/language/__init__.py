"""The scenario language: YAML with places, frozen models, mistakes that tell the mend."""
