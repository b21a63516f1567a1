/** Several HTTP clients for the same request, compared. */
@NullMarked
package org.fleetgrad.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
