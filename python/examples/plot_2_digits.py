"""
Digits as pixels
================

Every feature is a pixel of an 8 × 8 image. Which pixels tell the digits apart, and how few are enough?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import fiedler

X, y = load_digits(return_X_y=True)

# %%
# Four methods, twelve pixels each. The Laplacian score takes neighbors of a good pixel too, for it judges
# pixels one by one; MRSF chooses them together, and spreads them. Fisher and MRSF with classes see the
# labels.

chosen = {
    "Laplacian score": fiedler.LaplacianScore(12).fit(X),
    "MRSF": fiedler.MRSF(12).fit(X),
    "Fisher, with labels": fiedler.Fisher(12).fit(X, y),
    "MRSF, with labels": fiedler.MRSF(12).fit(X, y),
}
fig, axes = plt.subplots(1, 4, figsize=(10, 2.9), layout="constrained")
for (title, selector), ax in zip(chosen.items(), axes, strict=True):
    fiedler.plot.pixels(selector, (8, 8), ax=ax).set_title(title)
fig.show()

# %%
# What a digit looks like through twelve pixels: enough to tell most of them.

fig, axes = plt.subplots(2, 8, figsize=(10, 2.7), layout="constrained")
mask = chosen["MRSF"].get_support()
for image, whole, part in zip(X, axes[0], axes[1], strict=False):
    whole.imshow(image.reshape(8, 8), cmap="gray_r")
    part.imshow((image * mask).reshape(8, 8), cmap="gray_r")
    for ax in (whole, part):
        ax.set_axis_off()
fig.show()

# %%
# **How many are enough?** A nearest neighbor is asked on samples that selection has not seen, with random
# selection and all pixels beside.

counts = [3, 6, 12, 24, 40]
table = fiedler.evaluate(X[:900], y[:900], methods=["mrsf", "laplacian"], counts=counts, repeats=4)
table

# %%

ax = table.plot()
_ = ax.set_title("pixels that are enough")
