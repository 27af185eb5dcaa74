"""
What is derived from the vault's pages so that they can be found: everything here can be deleted and comes back.

`Index` is the whole; it is loaded at first use, so that the parts below it can be imported by themselves.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_store.index.hits import Hit, Hits
    from memory_store.index.standing import IndexStatus, PageStatus
    from memory_store.index.vault_index import Index

__all__ = ["Hit", "Hits", "Index", "IndexStatus", "PageStatus"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from memory_store.index import hits, standing, vault_index

        rooms = {"Hit": hits, "Hits": hits, "IndexStatus": standing, "PageStatus": standing}
        return getattr(rooms.get(name, vault_index), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
