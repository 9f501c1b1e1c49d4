"""The names in an Arrow stream, read through the Arrow C interface without any Arrow library."""

from __future__ import annotations

import ctypes
from typing import Any


class Stream:
    """An Arrow stream asked of its owner once, so that one which can be read only once stays whole.

    The layout is that of https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
    """

    def __init__(self, source: Any) -> None:
        self._capsule = source.__arrow_c_stream__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._capsule

    def names(self) -> list[str]:
        """Return the column names; the rows stay in the stream."""
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        stream = _Stream.from_address(pointer(self._capsule, b"arrow_array_stream"))
        schema = _Schema()
        if stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) != 0:
            raise ValueError("The Arrow stream gives no schema; its owner reports an error.")
        try:
            children = [schema.children[i].contents for i in range(schema.n_children)]
            return [(child.name or b"").decode() for child in children]
        finally:
            schema.release(ctypes.byref(schema))


class _Schema(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]
