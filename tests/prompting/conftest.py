"""Settings of the property tests."""

from hypothesis import settings

# A busy machine must not fail a property: examples have no time limit.
settings.register_profile("prompting", deadline=None)
settings.load_profile("prompting")
