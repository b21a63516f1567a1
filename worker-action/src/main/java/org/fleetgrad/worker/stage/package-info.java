/** The program of one stage of a pipeline, or of all of them as threads: told by a driver what to train. */
@NullMarked
package org.fleetgrad.worker.stage;

import org.jspecify.annotations.NullMarked;
