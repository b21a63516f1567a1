/** Reads the values of a request, or refuses the request with what they may be. */
@NullMarked
package org.fleetgrad.ps.web.request;

import org.jspecify.annotations.NullMarked;
