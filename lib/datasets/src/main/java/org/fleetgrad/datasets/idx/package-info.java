/** The IDX format in which MNIST and its successors are published. */
@NullMarked
package org.fleetgrad.datasets.idx;

import org.jspecify.annotations.NullMarked;
