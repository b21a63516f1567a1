/** The hot routes, which carry parameters and gradients, and their fast path through the server: handlers before the servlets. */
@NullMarked
package org.fleetgrad.ps.web.exchange;

import org.jspecify.annotations.NullMarked;
