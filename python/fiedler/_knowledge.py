"""Sources of knowledge about features: sets, networks, annotations and sequences, given or in files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from . import _core, _errors
from ._source import Aim, OfNumbers, Source, short


class Sets(OfNumbers):
    """Features that act together: the target is looked at through each of the sets.

    Parameters
    ----------
    sets : dict of str to list, or path
        The features of every set, by name or position; or a file: GMT, KGML (the genes of a pathway), GAF (a set a
        term), SIF (all ends as one set), or a name a line.
    only : list of str
        The sets that count, by name; otherwise all.
    ontology, evidence, aspect
        Of a GAF file, as for :class:`Annotations`.
    graph : str
        The kind of graph: knn, rbf, ….
    join : bool
        One set of all features in place of a graph for each set.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    **options
        Options of that graph: `n_neighbors`, `weight`, `bandwidth`, ….
    """

    def __init__(
        self,
        sets: Mapping[str, Iterable[Any]] | str | os.PathLike[str],
        graph: str = "knn",
        *,
        only: Sequence[str] = (),
        ontology: str | os.PathLike[str] | None = None,
        evidence: Sequence[str] = (),
        aspect: Sequence[str] = (),
        join: bool = False,
        drop: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(graph, options)
        self.sets, self.only, self.join, self.drop = sets, only, join, drop
        self.ontology, self.evidence, self.aspect = ontology, evidence, aspect

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The mean of the graphs of the sets."""
        read: list[str] = []
        wanted = _wanted(self)
        if isinstance(self.sets, (str, os.PathLike)):
            listed, read = _core.read_sets(os.fspath(self.sets), set(_own(target)), (name, wanted), target.terms)
            sets: dict[str, list[Any]] = dict(listed)
        elif any(wanted):
            raise _errors.ParameterError("`ontology`, `evidence` and `aspect` belong to a GAF file, and `sets` is none")
        else:
            sets = {str(key): list(members) for key, members in self.sets.items()}
        for key in self.only:
            if key not in sets:
                raise _errors.SourceError(f"source `{name}`: there is no set `{key}`")
        sets = {key: members for key, members in sets.items() if not self.only or key in self.only}
        found, notes = _features(name, [f for members in sets.values() for f in members], target, self.drop)
        places, matched = iter(found), []
        for key, members in sets.items():
            inside = [place for _, place in zip(members, places, strict=False) if place is not None]
            if inside:
                matched.append((key, inside))
        if self.join:
            matched = [(name, sorted({j for _, members in matched for j in members}))]
        made = _core.set_graph(target.data, matched, self._asked(), target.scale, target.terms)
        return made, read + notes


class Network(Source):
    """Features that interact, or are alike: samples are near that differ in features of the same neighborhood.

    Parameters
    ----------
    edges : list of (feature, feature) or (feature, feature, weight); scipy matrix, square data frame, or path
        The network, of feature names or positions; a matrix is features × features. Or a file: SIF, KGML, a table with
        titles as BioGRID and STRING write them, pairs with or without weights, or a square table.
    types : list of str
        Of a file that tells types of interactions, those that count; otherwise all.
    covariance : str
        ``"kernel"``; ``"printed"``: proposition 4 of the dissertation to the letter; ``"repaired"``: with K to the
        power ½, as the covariance of an embedding is.
    bandwidth : float or "auto"
        The width of the kernel on the distances.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    """

    def __init__(
        self,
        edges: Any,
        *,
        types: Sequence[str] = (),
        covariance: str = "kernel",
        bandwidth: float | str = "auto",
        drop: bool = False,
    ) -> None:
        self.edges, self.types = edges, types
        self.covariance, self.bandwidth, self.drop = covariance, bandwidth, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the samples by the network."""
        read: list[str] = []
        edges = self.edges
        if isinstance(edges, (str, os.PathLike)):
            edges, read = _core.read_network(os.fspath(edges), set(_own(target)), list(self.types), target.terms)
        elif self.types:
            raise _errors.ParameterError("`types` belong to a file that tells them, and `edges` is none")
        ends, weights = _ends(edges)
        found, notes = _features(name, ends, target, self.drop)
        pairs = zip(found[::2], found[1::2], weights, strict=True)
        known = [(a, b, w) for a, b, w in pairs if a is not None and b is not None]
        kernel = (self.covariance, str(self.bandwidth))
        made, told = _core.network_graph(target.data, known, kernel, target.scale, target.terms)
        return made, read + notes + told


class Annotations(Source):
    """Terms of features: features are alike that share terms.

    Parameters
    ----------
    terms : dict of feature to list of terms, list of (feature, term), or path
        The annotations; or a file: GAF, a table `feature, term`, or a table of 0 and 1 with terms as titles.
    ontology : path, optional
        An OBO file: a feature with a term has all terms above it too. For annotations in a file.
    evidence, aspect : list of str
        Of a GAF file, the kinds of evidence (``["EXP", "IDA"]``) and aspects (``["P"]``) that count; otherwise all.
    overlap : str
        How features that share terms are alike: jaccard and cosine count them; information (simGIC) and resnik weigh
        them by -ln of the share of annotated features that have a term.
    max_features : int, optional
        Terms of more features tell nothing and are left out; otherwise 200 or a quarter of all features, whichever is
        more.
    covariance : str
        ``"kernel"``; ``"printed"``: proposition 4 of the dissertation to the letter; ``"repaired"``: with K to the
        power ½, as the covariance of an embedding is.
    bandwidth : float or "auto"
        The width of the kernel on the distances.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    """

    def __init__(
        self,
        terms: Any,
        *,
        ontology: str | os.PathLike[str] | None = None,
        evidence: Sequence[str] = (),
        aspect: Sequence[str] = (),
        overlap: str = "jaccard",
        max_features: int | None = None,
        covariance: str = "kernel",
        bandwidth: float | str = "auto",
        drop: bool = False,
    ) -> None:
        self.terms, self.overlap, self.max_features = terms, overlap, max_features
        self.ontology, self.evidence, self.aspect = ontology, evidence, aspect
        self.covariance, self.bandwidth, self.drop = covariance, bandwidth, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the samples by the terms of their features."""
        said, kernel = self.terms, (self.covariance, str(self.bandwidth))
        if isinstance(said, (str, os.PathLike)):
            (features, places, information), read = _core.read_annotations(
                os.fspath(said), set(_own(target)), _wanted(self), target.terms
            )
            at, notes = _features(name, features, target, self.drop)
            own = [(j, t) for f, t in places if (j := at[f]) is not None]
            of_file = (own, self.overlap, self.max_features, information)
            made, told = _core.annotation_graph(target.data, of_file, kernel, target.scale, target.terms)
            return made, read + notes + told
        if any(_wanted(self)):
            raise _errors.ParameterError(
                "`ontology`, `evidence` and `aspect` belong to annotations in a file, and `terms` is none"
            )
        pairs = [(f, t) for f, terms in said.items() for t in terms] if isinstance(said, Mapping) else list(said)
        found, notes = _features(name, [feature for feature, _ in pairs], target, self.drop)
        numbers = {term: at for at, term in enumerate(sorted({str(term) for _, term in pairs}))}
        known = [(j, numbers[str(term)]) for j, (_, term) in zip(found, pairs, strict=True) if j is not None]
        about = (known, self.overlap, self.max_features, None)
        made, told = _core.annotation_graph(target.data, about, kernel, target.scale, target.terms)
        return made, notes + told


class Sequences(Source):
    """Sequences of features: features are alike that share pieces of their sequences.

    Parameters
    ----------
    sequences : dict of feature to str, or path
        The sequence of every feature, of nucleotides or amino acids; or a FASTA file.
    k_mer : int, optional
        Letters of a piece; otherwise 8 of nucleotides, 4 of amino acids.
    n_neighbors : int
        To how many most similar sequences each is joined.
    covariance : str
        ``"kernel"``; ``"printed"``: proposition 4 of the dissertation to the letter; ``"repaired"``: with K to the
        power ½, as the covariance of an embedding is.
    bandwidth : float or "auto"
        The width of the kernel on the distances.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    """

    def __init__(
        self,
        sequences: Mapping[Any, str] | str | os.PathLike[str],
        *,
        k_mer: int | None = None,
        n_neighbors: int = 10,
        covariance: str = "kernel",
        bandwidth: float | str = "auto",
        drop: bool = False,
    ) -> None:
        self.sequences, self.k_mer, self.n_neighbors = sequences, k_mer, n_neighbors
        self.covariance, self.bandwidth, self.drop = covariance, bandwidth, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the samples by the sequences of their features."""
        read: list[str] = []
        if isinstance(self.sequences, (str, os.PathLike)):
            listed, read = _core.read_sequences(os.fspath(self.sequences), set(_own(target)), target.terms)
        else:
            listed = [(feature, letters.encode()) for feature, letters in self.sequences.items()]
        found, notes = _features(name, [feature for feature, _ in listed], target, self.drop)
        known = [(j, bytes(s)) for j, (_, s) in zip(found, listed, strict=True) if j is not None]
        kernel = (self.covariance, str(self.bandwidth))
        asked = (known, self.k_mer, self.n_neighbors)
        made, told = _core.sequence_graph(target.data, asked, kernel, target.scale, target.terms)
        return made, read + notes + told


def _features(name: str, asked: list[Any], target: Aim, drop: bool) -> tuple[list[int | None], list[str]]:
    """Where features stand in the target: by name, or by position where they are numbers."""
    n_features = target.data.shape[1]
    if asked and all(isinstance(f, (int, np.integer)) and not isinstance(f, bool) for f in asked):
        wrong = [f for f in asked if not 0 <= f < n_features]
        if wrong:
            raise _errors.SourceError(f"source `{name}`: there is no feature {wrong[0]}; there are {n_features}")
        return [int(f) for f in asked], []
    known, sought = ("X", _own(target)), (f"source `{name}`", [str(f) for f in asked])
    found, dropped = _core.match_names(known, sought, False, drop)
    told = "1 feature name is not in X and was dropped"
    if len(dropped) > 1:
        told = f"{len(dropped)} feature names are not in X and were dropped"
    return found, [told] if dropped else []


def _wanted(said: Sets | Annotations) -> tuple[str | None, list[str], list[str]]:
    """The ontology of annotations in a file, and which of them count."""
    for name in ("evidence", "aspect"):
        if isinstance(getattr(said, name), str):
            raise _errors.ParameterError(f"`{name}` must be a list of words, got {short(getattr(said, name))}")
    ontology = None if said.ontology is None else os.fspath(said.ontology)
    return ontology, list(said.evidence), list(said.aspect)


def _own(target: Aim) -> list[str]:
    """The names of the target's features."""
    return target.names if target.names is not None else [f"x{j}" for j in range(target.data.shape[1])]


def _ends(edges: Any) -> tuple[list[Any], list[float]]:
    """The ends of all edges, one after the other, and their weights."""
    if hasattr(edges, "columns") and hasattr(edges, "to_numpy") and edges.shape[0] == edges.shape[1]:
        names, S = list(edges.columns), sparse.coo_array(edges.to_numpy())
    elif getattr(edges, "ndim", 0) == 2 and edges.shape[0] == edges.shape[1]:
        names, S = None, sparse.coo_array(edges)
    else:
        listed = [tuple(edge) for edge in (edges.itertuples(index=False) if hasattr(edges, "itertuples") else edges)]
        return [end for edge in listed for end in edge[:2]], [float(e[2]) if len(e) > 2 else 1.0 for e in listed]
    ends = [int(j) if names is None else names[j] for pair in zip(S.row, S.col, strict=True) for j in pair]
    return ends, [float(w) for w in S.data]
