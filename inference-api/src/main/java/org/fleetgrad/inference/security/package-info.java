/** Access control of the service: its keys and tokens, the roles that may use each route, and how a client is refused. */
@NullMarked
package org.fleetgrad.inference.security;

import org.jspecify.annotations.NullMarked;
