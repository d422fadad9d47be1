"""Pages as HTML that several modules show: pure functions of a visit and of what that visitor may see."""
