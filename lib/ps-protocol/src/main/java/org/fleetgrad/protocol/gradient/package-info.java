/** The metadata of a gradient on the wire, beside its tensors. */
@NullMarked
package org.fleetgrad.protocol.gradient;

import org.jspecify.annotations.NullMarked;
