/**
 * Compression of gradients and parameters on the wire: encodings, and the error feedback that compensates for their
 * losses.
 */
@NullMarked
package org.fleetgrad.protocol.encoding;

import org.jspecify.annotations.NullMarked;
