"""Every page as HTML: pure functions of a visit and of what may be shown."""
