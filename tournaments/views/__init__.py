"""The pages of an evening, a module a desk."""
