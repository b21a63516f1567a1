/** The events of the run, for watchers. */
@NullMarked
package org.fleetgrad.ps.events;

import org.jspecify.annotations.NullMarked;
