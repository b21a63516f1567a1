/** The registered workers and their leases. */
@NullMarked
package org.fleetgrad.ps.membership;

import org.jspecify.annotations.NullMarked;
