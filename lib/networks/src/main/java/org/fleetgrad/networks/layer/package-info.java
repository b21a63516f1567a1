/** The layers that networks are made of, as data: their tensors, initial values, and input and output shapes. */
@NullMarked
package org.fleetgrad.networks.layer;

import org.jspecify.annotations.NullMarked;
