"""Tokens and tensors: pull, judge, load and run local models. Knows no pages."""
