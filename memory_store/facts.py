"""
Facts and rules as lines of markdown: their values, how pages are read for them, and how changes are written.

One door to four modules: the values are in `fact_values`, the grammar of lines in `fact_lines`, what a page says in
`fact_pages`, and how a change is written into it in `fact_edits`.
"""

from memory_store.fact_edits import apply, keep_past, scrub
from memory_store.fact_lines import is_attribute, parse_fact, parse_rule, render_fact, render_ref, render_rule
from memory_store.fact_pages import new_page, read_facts
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
    "apply",
    "attribute_key",
    "is_attribute",
    "keep_past",
    "new_page",
    "parse_fact",
    "parse_rule",
    "read_facts",
    "render_fact",
    "render_ref",
    "render_rule",
    "same_value",
    "scrub",
    "value_key",
]
