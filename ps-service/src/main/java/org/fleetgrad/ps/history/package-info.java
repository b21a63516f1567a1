/** The run's bounded time series, which survives a restart. */
@NullMarked
package org.fleetgrad.ps.history;

import org.jspecify.annotations.NullMarked;
