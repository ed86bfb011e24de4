"""How properties are tried: no deadline, because a busy machine is no counter-example."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("tzzr", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tzzr")
