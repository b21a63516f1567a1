/** How the gradients of a synchronous step become one, also if some of the workers are bad. */
@NullMarked
package org.fleetgrad.ps.aggregation;

import org.jspecify.annotations.NullMarked;
