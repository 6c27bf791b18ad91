"""What people type, read into commands: one module a page; nothing is saved here."""
