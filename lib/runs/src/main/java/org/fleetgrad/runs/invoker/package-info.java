/** One worker's activations: a process, a container or OpenWhisk runs them, and each has an outcome. */
@NullMarked
package org.fleetgrad.runs.invoker;

import org.jspecify.annotations.NullMarked;
