/** Networks as data: their names, layers, parameters, state and initial values. What computes them is elsewhere. */
@NullMarked
package org.fleetgrad.networks;

import org.jspecify.annotations.NullMarked;
