"""Spectral feature selection: which features carry the structure of the data, why, and how sure.

Estimators for scikit-learn's pipelines (`LaplacianScore`, `MRSF`, `Fisher`, …), functions for those who want none
(`rank`, `knn_graph`, `spectrum`, `l21_path`, `evaluate`, `stability`), and `fiedler.pp` for AnnData.

>>> import fiedler
>>> from sklearn.datasets import load_iris
>>> X, y = load_iris(return_X_y=True, as_frame=True)
>>> fiedler.rank(X).top(2)
['petal length (cm)', 'petal width (cm)']
>>> fiedler.LaplacianScore(n_features_to_select=2).fit_transform(X).shape
(150, 2)
"""

from . import _core, _errors, _estimators, cluster, plot, pp, sources
from ._aggregation import Aggregation, aggregate
from ._block_files import write_blocks
from ._config import config_context, get_config, set_config
from ._errors import *  # noqa: F403
from ._estimators import *  # noqa: F403
from ._functions import (
    knn_graph,
    l21_path,
    laplacian_score,
    rank,
    show_methods,
    spectrum,
)
from ._fusion import Consensus, Fusion, MultiSource, fuse
from ._judging import evaluate, stability
from ._results import Evaluation, Findings, Path, Spectrum, Stability

__version__: str = _core.describe()["version"]

__all__ = [
    *_errors.__all__,
    *_estimators.__all__,
    "Aggregation",
    "Consensus",
    "Evaluation",
    "Findings",
    "Fusion",
    "MultiSource",
    "Path",
    "Spectrum",
    "Stability",
    "aggregate",
    "cluster",
    "config_context",
    "evaluate",
    "fuse",
    "get_config",
    "knn_graph",
    "l21_path",
    "laplacian_score",
    "plot",
    "pp",
    "rank",
    "set_config",
    "show_methods",
    "sources",
    "spectrum",
    "stability",
    "write_blocks",
]
