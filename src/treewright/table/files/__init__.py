"""Files as tables: what a file is, how its text is laid out, and what each of its columns holds."""
