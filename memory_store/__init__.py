"""Markdown pages and what is derived from them. Knows no model, no clock, no socket."""
