/** The Docker command line: containers of the worker, as OpenWhisk runs them. */
@NullMarked
package org.fleetgrad.runs.docker;

import org.jspecify.annotations.NullMarked;
