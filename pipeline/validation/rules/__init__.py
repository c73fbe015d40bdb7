"""One rule per file. Each is a frozen dataclass whose fields are its configuration."""
