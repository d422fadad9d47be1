"""Pages as HTML: pure functions of a visit and of what that visitor may see."""
