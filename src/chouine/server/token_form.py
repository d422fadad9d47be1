"""What a token of a program looks like."""

import re

PREFIX = "chouine_"
"""Begins every token, so that programs that look for secrets in published sources find it."""
FORM = re.compile(PREFIX + r"[A-Za-z0-9_-]{32,64}")
