"""Assembles and serves: the only room where models meet memory."""

VERSION = "0.1.0"
