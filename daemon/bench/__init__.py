"""How well memory answers with a model: a small generated set of conversations, told, changed and asked about."""
