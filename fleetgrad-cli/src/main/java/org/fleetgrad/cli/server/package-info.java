/** A parameter server that runs already, and how commands reach it. */
@NullMarked
package org.fleetgrad.cli.server;

import org.jspecify.annotations.NullMarked;
