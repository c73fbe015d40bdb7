"""The spike report: is a model good enough, and which of two is better (spec section 6). Stands beside the way.

A spike voices a fixed evaluation set as a bake would (`voicing`), keeps the result by the hash of its content
(`result`), measures what rules can judge (`criteria`), asks people the rest by blind packets (`packet`, `answers`,
`scoring`) and decides (`decision`).
"""
