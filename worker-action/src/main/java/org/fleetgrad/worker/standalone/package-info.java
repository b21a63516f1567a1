/** A worker that invokes itself: it runs activations until the work is done. */
@NullMarked
package org.fleetgrad.worker.standalone;

import org.jspecify.annotations.NullMarked;
