/** The JSON messages of the contract, as records; {@code openapi.yaml} is their truth. */
@NullMarked
package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.NullMarked;
