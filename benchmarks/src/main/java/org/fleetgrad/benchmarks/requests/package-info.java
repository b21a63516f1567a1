/** Requests per second, and the requests that generate the load. */
@NullMarked
package org.fleetgrad.benchmarks.requests;

import org.jspecify.annotations.NullMarked;
