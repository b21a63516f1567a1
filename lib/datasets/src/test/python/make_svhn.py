"""Writes tiny.mat and uncompressed.mat, files like SVHN's train_32x32.mat, with SciPy's own writer:

    python3 lib/datasets/src/test/python/make_svhn.py lib/datasets/src/test/resources/org/fleetgrad/datasets/svhn

The pixel at row r, column c, channel k of image n is (7 r + 3 c + 50 k + 11 n) mod 256.
"""

import sys
from pathlib import Path

import numpy
from scipy.io import savemat

folder = Path(sys.argv[1])
r, c, k, n = numpy.ogrid[0:32, 0:32, 0:3, 0:4]
pixels = ((7 * r + 3 * c + 50 * k + 11 * n) % 256).astype(numpy.uint8)
labels = numpy.array([[10], [1], [9], [2]])
savemat(folder / "tiny.mat", {"X": pixels, "y": labels.astype(numpy.uint8)}, do_compression=True)
savemat(folder / "uncompressed.mat", {"X": pixels[:, :, :, :2], "y": labels[:2].astype(numpy.float64)})
