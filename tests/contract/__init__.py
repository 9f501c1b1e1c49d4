"""What every entry of a table must do; entries are read from the tables, so a new one is tested at once."""
