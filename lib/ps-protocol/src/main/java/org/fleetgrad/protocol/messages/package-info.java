/** The JSON messages of the contract, as records; {@code openapi.yaml} defines them. */
@NullMarked
package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.NullMarked;
