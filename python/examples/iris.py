"""Which measurements of a flower matter, three ways: a look, a pipeline, and how sure."""

from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import fiedler

X, y = load_iris(return_X_y=True, as_frame=True)

# A look: without labels, which features follow the structure of the samples?
found = fiedler.rank(X)
print(found.to_frame().to_string(index=False))

# A pipeline: labels are used because `fit` gets them.
pipe = make_pipeline(fiedler.MRSF(n_features_to_select=2), LogisticRegression())
print(f"accuracy with two features: {cross_val_score(pipe, X, y).mean():.2f}")

# How sure: what is selected again when the data change a little?
sure = fiedler.stability(X, method="laplacian", count=2, repeats=20)
print(f"safe to report: {', '.join(sure.names[j] for j in sure.safe)}")
