"""How the documentation site is made: `python -m sphinx -W docs/site target/python/site`."""

import warnings
from pathlib import Path

import matplotlib

import fiedler

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]

project = "fiedler"
author = "the authors of fiedler"
project_copyright = "the authors of fiedler, MIT or Apache 2.0"
version = release = fiedler.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery"]
default_role = "code"
templates_path = ["templates"]

html_theme = "furo"
html_title = "fiedler"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# Attributes are listed with what they are, not one heading each.
napoleon_use_ivar = True
napoleon_google_docstring = False

sphinx_gallery_conf = {
    "examples_dirs": [str(ROOT / "python" / "examples")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"plot_\d",
    "within_subsection_order": "FileNameSortKey",
    "capture_repr": ("_repr_html_", "__repr__"),
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1000,
    "thumbnail_size": (600, 420),
    "write_computation_times": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
}
warnings.filterwarnings("ignore", category=fiedler.FiedlerWarning)


def methods_page() -> str:
    """The page of all methods, from the registry."""
    known = fiedler._core.describe()["methods"]
    names = {method: estimator.__name__ for method, estimator in fiedler._estimators.ESTIMATORS.items()}
    words = {"never": "ignored", "optional": "used where given", "some": "a few", "all": "needed"}
    lines = ["Methods", "=======", "", "What every method measures, and its estimator.", ""]
    lines += [".. list-table::", "   :header-rows: 1", "   :widths: 18 54 14 14", ""]
    lines += ["   * - estimator", "     - measures", "     - labels", "     - graph"]
    for method in known:
        lines += [f"   * - :class:`~fiedler.{names[method['name']]}`", f"     - {method['measures']}"]
        lines += [f"     - {words[method['labels']]}", f"     - {method['graph'] or 'none'}"]
    lines += [
        "",
        ".. currentmodule:: fiedler",
        "",
        ".. autosummary::",
        "   :toctree: api",
        "   :template: estimator.rst",
        "",
    ]
    return "\n".join([*lines, *(f"   {names[method['name']]}" for method in known), ""])


(Path(__file__).parent / "methods.rst").write_text(methods_page(), encoding="utf-8")
