"""
Words of manuals: sparse counts
===============================

The documents are the docstrings of six parts of SciPy, the features are words. Counts are sparse and stay so.
"""

import importlib
import inspect

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

import fiedler

texts, parts = [], []
for part in ("stats", "linalg", "signal", "ndimage", "special", "optimize"):
    module = importlib.import_module(f"scipy.{part}")
    for name in sorted(module.__all__):
        text = inspect.getdoc(getattr(module, name, None))
        if text and len(text) > 800:
            # Examples and the note on array libraries are the same everywhere.
            texts.append(text.split("Array API Standard Support")[0].split("Examples\n---")[0])
            parts.append(part)

# %%
# Words that are in eight documents at least, and not in every third.

vectorizer = CountVectorizer(min_df=8, max_df=0.3, token_pattern=r"[a-z]{3,}", stop_words="english")
X = vectorizer.fit_transform(texts).astype(float)
words = vectorizer.get_feature_names_out()
print(f"{X.shape[0]} documents × {X.shape[1]} words, {X.nnz / np.prod(X.shape):.1%} of the counts are not zero")

# %%
# Without labels: words that follow the neighborhoods of the documents. Documents are near that use the same
# words (cosine).

found = fiedler.rank(X, metric="cosine")
found.names = list(words)
found

# %%
# The parts of SciPy were not told, and the best words belong to some of them: how often each word is used in
# each.

best = found.order[:24]
shares = np.array([[(X[np.array(parts) == p][:, [j]] > 0).mean() for p in dict.fromkeys(parts)] for j in best])
fig, ax = plt.subplots(figsize=(5.4, 6.2), layout="constrained")
picture = ax.imshow(shares, cmap="Blues", aspect="auto", vmin=0)
ax.set_xticks(range(6), list(dict.fromkeys(parts)), rotation=40, ha="right")
ax.set_yticks(range(len(best)), [words[j] for j in best])
fig.colorbar(picture, label="share of documents with the word")
fig.show()

# %%
# The first words repeat each other. MRSF chooses words that are good together.

together = fiedler.MRSF(12, metric="cosine").fit(X)
print(", ".join(words[together.findings_.order[:12]]))
