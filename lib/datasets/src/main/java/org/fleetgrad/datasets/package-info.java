/** Labelled images in memory, and how their pixels are normalized. */
@NullMarked
package org.fleetgrad.datasets;

import org.jspecify.annotations.NullMarked;
