/** Waits for programs to start: as long as they are alive and make progress. */
@NullMarked
package org.fleetgrad.runs.start;

import org.jspecify.annotations.NullMarked;
