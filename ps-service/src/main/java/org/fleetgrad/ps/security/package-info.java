/** The roles that may use each route. */
@NullMarked
package org.fleetgrad.ps.security;

import org.jspecify.annotations.NullMarked;
