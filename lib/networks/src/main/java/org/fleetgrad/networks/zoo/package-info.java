/** The networks that Fleetgrad brings, each as its paper's or PyTorch's table has it. */
@NullMarked
package org.fleetgrad.networks.zoo;

import org.jspecify.annotations.NullMarked;
