/** Generated digits, for machines without a dataset. */
@NullMarked
package org.fleetgrad.datasets.synth;

import org.jspecify.annotations.NullMarked;
