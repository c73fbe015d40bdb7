"""`voicebake review ZONE` at a terminal: a zone's queue, a line at a time, a key per decision."""
