"""The desk's I/O around the pure contest engine: a durable file, a matching solver, spreadsheets."""
