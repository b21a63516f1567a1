/** Access control of a service: keys, tokens, roles, and tables of routes, without any HTTP framework. */
@NullMarked
package org.fleetgrad.access;

import org.jspecify.annotations.NullMarked;
