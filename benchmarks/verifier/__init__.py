"""A trial of a verifier: an adapter that says whether a voiced text says what its base text says."""
