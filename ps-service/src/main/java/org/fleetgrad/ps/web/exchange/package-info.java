/** The hot routes, which carry parameters and gradients: servlets without Spring MVC. */
@NullMarked
package org.fleetgrad.ps.web.exchange;

import org.jspecify.annotations.NullMarked;
