/** Reports a run in metrics, events and the log, and ends expired leases. */
@NullMarked
package org.fleetgrad.ps.operation;

import org.jspecify.annotations.NullMarked;
