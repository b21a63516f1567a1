/** Random changes of training images that depend on seed, epoch and sample alone. */
@NullMarked
package org.fleetgrad.datasets.augment;

import org.jspecify.annotations.NullMarked;
