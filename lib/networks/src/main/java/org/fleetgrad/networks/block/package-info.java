/** The blocks of a network: the pieces between which it can be cut into stages. */
@NullMarked
package org.fleetgrad.networks.block;

import org.jspecify.annotations.NullMarked;
