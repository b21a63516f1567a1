/** A strict, deterministic codec for the safetensors format. */
@NullMarked
package org.fleetgrad.protocol.safetensors;

import org.jspecify.annotations.NullMarked;
