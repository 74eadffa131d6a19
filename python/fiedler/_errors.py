"""What can go wrong: one class for every error of the library, each also the built-in that one would catch."""

from __future__ import annotations


class FiedlerError(Exception):
    """What every error of the package is."""


class ParameterError(FiedlerError, ValueError):
    """A parameter breaks its rule."""


class UnknownParameterError(FiedlerError, TypeError):
    """A parameter that the method or the graph does not have."""


class JudgesTogetherError(FiedlerError, ValueError):
    """A method that judges features together was asked to score some by themselves."""


class UnknownMethodError(FiedlerError, ValueError):
    """No method has that name."""


class NotFiniteError(FiedlerError, ValueError):
    """A value is NaN or infinite."""


class OutOfRangeError(FiedlerError, ValueError):
    """The values of a column are too large, or too close together, to be squared."""


class EmptyDataError(FiedlerError, ValueError):
    """The data have no samples or no features."""


class LengthError(FiedlerError, ValueError):
    """Two things that must have the same length do not."""


class TooFewSamplesError(FiedlerError, ValueError):
    """There are too few samples for what was asked."""


class LabelsMissingError(FiedlerError, ValueError):
    """A supervised method met data without labels."""


class LabelsPartialError(FiedlerError, ValueError):
    """A method that needs all labels met samples without."""


class OneClassError(FiedlerError, ValueError):
    """All labels are the same."""


class NotClassesError(FiedlerError, ValueError):
    """A method of classes met the target of a regression."""


class AsymmetricError(FiedlerError, ValueError):
    """A given similarity is not symmetric."""


class SimilarityNotFiniteError(FiedlerError, ValueError):
    """A given similarity has an entry that is not finite."""


class TooLargeError(FiedlerError, MemoryError):
    """Something would need more memory than is allowed."""


class NotConvergedError(FiedlerError, RuntimeError):
    """An iteration did not reach its tolerance."""


class PathStuckError(FiedlerError, RuntimeError):
    """The path of an L2,1 regression cannot be followed as far as asked."""


class UnknownNamesError(FiedlerError, ValueError):
    """Names of one source that another does not have."""


class NothingSharedError(FiedlerError, ValueError):
    """Two sources have nothing in common."""


class DuplicateNameError(FiedlerError, ValueError):
    """A name that must be unique is not."""


class SourceError(FiedlerError, ValueError):
    """A source of knowledge says nothing that can be used."""


class ColumnsError(FiedlerError, OSError):
    """Columns that come from elsewhere could not be had."""


class ClusterError(FiedlerError, RuntimeError):
    """The workers of a cluster cannot do what they are asked."""


class FileError(FiedlerError, OSError, ValueError):
    """A file cannot be read, or what it holds is no table of numbers."""


class PickleError(FiedlerError, ValueError):
    """A pickle that this version cannot read."""


class GraphNotKeptError(FiedlerError, AttributeError):
    """The graph of a fit that was pickled, or of a method that made none."""


class FiedlerWarning(UserWarning):
    """What to know before trusting an answer."""


__all__ = [name for name, value in list(globals().items()) if isinstance(value, type)]
