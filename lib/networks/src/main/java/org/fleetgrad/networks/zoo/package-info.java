/** The built-in networks, each as in its paper or in PyTorch. */
@NullMarked
package org.fleetgrad.networks.zoo;

import org.jspecify.annotations.NullMarked;
