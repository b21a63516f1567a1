/** Ways of carrying a request over HTTP, side by side. */
@NullMarked
package org.fleetgrad.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
