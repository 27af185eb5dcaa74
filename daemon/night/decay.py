"""Weights that sink and come back: nothing is deleted, and what a later dream needs is lifted again."""

GAMMA = 0.2
LEAST = 0.008


def decayed(weight: float, gamma: float = GAMMA) -> float:
    """*weight* one step lower; 0 only where *gamma* is 0, which hides instead of lowering."""
    return 0.0 if gamma <= 0 else max(weight * gamma, LEAST)


def restored() -> float:
    """The weight of a passage that was found relevant."""
    return 1.0
