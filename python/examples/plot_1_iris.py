"""
Which measurements of a flower matter
=====================================

A first look, a pipeline, and a picture: four measurements of 150 irises.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import fiedler

X, y = load_iris(return_X_y=True, as_frame=True)

# %%
# **A look.** Without labels: which features follow the structure of the samples? In a notebook the answer
# shows itself.

found = fiedler.rank(X)
found

# %%
# The samples by two eigenvectors of their graph: what the score has seen. Left in the color of the best
# feature, right of the worst: the best one changes smoothly from one end to the other.

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
found.plot.embedding(color=found.top(1)[0], ax=left)
found.plot.embedding(color=found.names[found.order[-1]], ax=right)
fig.show()

# %%
# **A pipeline.** Replace ``SelectKBest`` by an estimator of ours, and nothing else changes. Labels are used
# because ``fit`` gets them.

pipe = make_pipeline(fiedler.MRSF(n_features_to_select=2), LogisticRegression())
print(f"accuracy with two of four features: {cross_val_score(pipe, X, y).mean():.2f}")

# %%
# **How sure.** What is selected again when the data change a little?

fiedler.stability(X, method="laplacian", count=2, repeats=20)
