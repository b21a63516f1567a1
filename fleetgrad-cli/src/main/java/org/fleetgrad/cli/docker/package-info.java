/** The Docker command line: containers of the worker, as OpenWhisk runs them. */
@NullMarked
package org.fleetgrad.cli.docker;

import org.jspecify.annotations.NullMarked;
