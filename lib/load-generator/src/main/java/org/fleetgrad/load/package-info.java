/** {@code fleetgrad load}: sends held-out samples to a served model, and measures its accuracy and latency. */
@NullMarked
package org.fleetgrad.load;

import org.jspecify.annotations.NullMarked;
