/** Keys, tokens and roles: the permissions of callers. */
@NullMarked
package org.fleetgrad.ps.security;

import org.jspecify.annotations.NullMarked;
