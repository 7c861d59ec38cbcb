"""No property depends on how fast this machine is, or how busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("verifier", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("verifier")
