/** Keys, tokens and roles: who may do what. */
@NullMarked
package org.fleetgrad.ps.security;

import org.jspecify.annotations.NullMarked;
