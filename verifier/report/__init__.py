"""Results for people: tables, pages, pictures, stories of one matrix."""
