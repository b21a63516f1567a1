/** Labelled images in memory, and the normalization of their pixels. */
@NullMarked
package org.fleetgrad.datasets;

import org.jspecify.annotations.NullMarked;
