/** Reads the values of a request, or refuses the request with the allowed values. */
@NullMarked
package org.fleetgrad.ps.web.request;

import org.jspecify.annotations.NullMarked;
