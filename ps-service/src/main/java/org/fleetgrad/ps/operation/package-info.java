/** Tells metrics, events and the log what happens in a run, and ends leases when their time is over. */
@NullMarked
package org.fleetgrad.ps.operation;

import org.jspecify.annotations.NullMarked;
