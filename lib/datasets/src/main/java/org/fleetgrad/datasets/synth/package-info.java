/** Generated digits, for where no dataset is at hand. */
@NullMarked
package org.fleetgrad.datasets.synth;

import org.jspecify.annotations.NullMarked;
