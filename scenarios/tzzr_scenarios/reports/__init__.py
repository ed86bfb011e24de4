"""Reports: consumers of a run's events."""
