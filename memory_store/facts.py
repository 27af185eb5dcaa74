"""
Facts and rules as lines of markdown: their values, how pages are read for them, and how changes are written.

What follows is the grammar. The values are in `fact_values`, single lines in `fact_lines`, pages in `fact_pages`.
"""

from memory_store.fact_values import (
    Change,
    Fact,
    FactChange,
    PageFacts,
    Problem,
    Ref,
    Rule,
    RuleAdded,
    attribute_key,
    same_value,
    value_key,
)

__all__ = [
    "Change",
    "Fact",
    "FactChange",
    "PageFacts",
    "Problem",
    "Ref",
    "Rule",
    "RuleAdded",
    "attribute_key",
    "same_value",
    "value_key",
]
