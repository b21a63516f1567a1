/** What a gradient says of itself on the wire, beside its tensors. */
@NullMarked
package org.fleetgrad.protocol.gradient;

import org.jspecify.annotations.NullMarked;
