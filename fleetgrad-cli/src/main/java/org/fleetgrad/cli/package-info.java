/** The one command: what a user types, and what it exits with. */
@NullMarked
package org.fleetgrad.cli;

import org.jspecify.annotations.NullMarked;
