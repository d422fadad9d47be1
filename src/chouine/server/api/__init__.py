"""What programs are told and may ask (`/api/1/…`): the shapes, a table as a seat knows it, and their description."""
