/** The commands for the checkpoints of a run: list, show and export them, and roll a server back to one. */
@NullMarked
package org.fleetgrad.cli.model;

import org.jspecify.annotations.NullMarked;
