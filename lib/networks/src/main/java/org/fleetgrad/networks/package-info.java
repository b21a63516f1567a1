/** Networks as data: their names, layers, parameters, state and initial values. The code that computes them is elsewhere. */
@NullMarked
package org.fleetgrad.networks;

import org.jspecify.annotations.NullMarked;
