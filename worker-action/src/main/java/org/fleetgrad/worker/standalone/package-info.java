/** A worker that nobody invokes: it runs activations by itself until the work is done. */
@NullMarked
package org.fleetgrad.worker.standalone;

import org.jspecify.annotations.NullMarked;
