/** How a failed command ends: one line for the user, and the exit code. */
@NullMarked
package org.fleetgrad.cli.failure;

import org.jspecify.annotations.NullMarked;
