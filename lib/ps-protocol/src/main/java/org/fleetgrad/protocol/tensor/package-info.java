/** Named tensors laid out once: specs, their layout, and a set of tensors over one run of bytes. */
@NullMarked
package org.fleetgrad.protocol.tensor;

import org.jspecify.annotations.NullMarked;
