/** How the gradients of a synchronous step become one, even if some workers are Byzantine. */
@NullMarked
package org.fleetgrad.ps.aggregation;

import org.jspecify.annotations.NullMarked;
