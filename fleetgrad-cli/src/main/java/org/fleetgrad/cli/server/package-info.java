/** A parameter server that runs already: how commands reach it, and how it is doing. */
@NullMarked
package org.fleetgrad.cli.server;

import org.jspecify.annotations.NullMarked;
