/** Keys and tokens over HTTP: their settings, the caller of a request, and the route that issues tokens. */
@NullMarked
package org.fleetgrad.ps.web.security;

import org.jspecify.annotations.NullMarked;
