/** Waits for programs to start: as long as they live and get on. */
@NullMarked
package org.fleetgrad.cli.start;

import org.jspecify.annotations.NullMarked;
