/** A running parameter server: how commands reach it, and its status. */
@NullMarked
package org.fleetgrad.cli.server;

import org.jspecify.annotations.NullMarked;
