"""Upkeep of the history: what git keeps as one file an object becomes one pack, once there is much of it."""

import os
from pathlib import Path

from dulwich.repo import Repo

from memory_store.swap import sync, sync_folder

MOST_LOOSE = 5000


def pack_loose(repo: Repo, most: int = MOST_LOOSE) -> int:
    """
    Put the loose objects of *repo* into a pack, where they are more than *most*; how many were.

    They are deleted only once the pack is safe on the disk, so that a power cut loses nothing.
    """
    store = repo.object_store
    if store.count_loose_objects() <= most:
        return 0
    loose = [sha for sha in store if store.contains_loose(sha)]
    store.add_objects([(store[sha], None) for sha in loose])
    folder = Path(os.fsdecode(store.pack_dir))
    for file in folder.glob("pack-*"):
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)
    sync_folder(folder)
    packed = {sha for pack in store.packs for sha in pack}
    for sha in loose:
        if sha in packed:
            store.delete_loose_object(sha)
    return len(loose)
