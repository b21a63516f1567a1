/** Requests a second, and what one exchange takes. */
@NullMarked
package org.fleetgrad.benchmarks.requests;

import org.jspecify.annotations.NullMarked;
