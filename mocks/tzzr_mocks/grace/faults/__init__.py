"""The faults of RunPod's queue API that people have seen, one file per kind (runpod.md §13)."""
