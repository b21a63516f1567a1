/** The order in which an epoch visits its samples. */
@NullMarked
package org.fleetgrad.datasets.sampling;

import org.jspecify.annotations.NullMarked;
