/** Runs activations within a namespace's limits, and waits for their end. */
@NullMarked
package org.fleetgrad.openwhisk.pacing;

import org.jspecify.annotations.NullMarked;
