"""The world that the server runs in: honest fakes of GRACE on RunPod, HST on Directus and the Context Manager."""
