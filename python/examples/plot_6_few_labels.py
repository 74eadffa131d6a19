"""
A few labels say what is asked
==============================

Every sample is two handwritten digits side by side: a 0 or 1 at the left, a 4 or 9 at the right. Both sides
have structure; a method without labels cannot know which is meant. Eight labels of the right side are enough
to tell.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import fiedler

digits = load_digits()
rng = np.random.default_rng(0)
left = rng.choice(np.flatnonzero(digits.target <= 1), 300)
right = rng.choice(np.flatnonzero(np.isin(digits.target, (4, 9))), 300)
images = np.concatenate([digits.images[left], digits.images[right]], axis=2)
X, y = images.reshape(300, -1), digits.target[right]


def few(per_class: int, seed: int = 0) -> np.ndarray:
    """The labels of so many samples of each class; -1 stands for a sample without."""
    labels = np.full(len(y), -1)
    for c in np.unique(y):
        drawn = np.random.default_rng(seed).choice(np.flatnonzero(y == c), per_class, replace=False)
        labels[drawn] = c
    return labels


fig, axes = plt.subplots(1, 5, figsize=(10, 1.3), layout="constrained")
for image, label, ax in zip(images, few(4), axes, strict=False):
    ax.imshow(image, cmap="gray_r")
    ax.set(xticks=[], yticks=[], title="label ?" if label < 0 else f"label {label}")
fig.show()

# %%
# Twelve pixels: without labels, with eight labels, and with all three hundred.

chosen = {
    "Laplacian score, no label": fiedler.LaplacianScore(12).fit(X),
    "SSelect, 8 labels": fiedler.SSelect(12).fit(X, few(4)),
    "Fisher, 300 labels": fiedler.Fisher(12).fit(X, y),
}
fig, axes = plt.subplots(1, 3, figsize=(10, 2.1), layout="constrained")
for (title, selector), ax in zip(chosen.items(), axes, strict=True):
    fiedler.plot.pixels(selector, (8, 16), ax=ax).set_title(title)
    ax.axvline(7.5, color="0.4", linestyle=":")
fig.show()

# %%
# How many labels does it take? The share of chosen pixels that lie on the right, over ten draws of the
# labels. On data as clear as these, Fisher on the labeled samples alone does nearly as well; without any
# labels it could not be asked.


def on_the_right(selector: fiedler.Fisher | fiedler.SSelect) -> float:
    """The share of selected pixels in the right image."""
    return float(np.mean(selector.get_support(indices=True) % 16 >= 8))


counts = [1, 2, 4, 8, 16]
shares: dict[str, list[float]] = {"SSelect": [], "Fisher, labeled samples only": []}
for count in counts:
    draws = [few(count, seed) for seed in range(10)]
    shares["SSelect"].append(float(np.mean([on_the_right(fiedler.SSelect(12).fit(X, d)) for d in draws])))
    if count > 1:
        parts = [fiedler.Fisher(12).fit(X[d >= 0], d[d >= 0]) for d in draws]
        shares["Fisher, labeled samples only"].append(float(np.mean([on_the_right(part) for part in parts])))
fig, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
for (name, values), color in zip(shares.items(), (fiedler.plot.ACCENT, "0.6"), strict=True):
    ax.plot(2 * np.array(counts[-len(values) :]), values, marker="o", color=color, label=name)
ax.axhline(0.5, color="0.6", linestyle=":", linewidth=1)
ax.set(xlabel="labels", ylabel="chosen pixels on the right", ylim=(0, 1.05), xscale="log", xticks=[2, 4, 8, 16, 32])
ax.set_xticklabels(["2", "4", "8", "16", "32"])
ax.legend(frameon=False)
fig.show()
