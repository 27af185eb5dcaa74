"""Assembles and serves: the only room where models meet memory."""
