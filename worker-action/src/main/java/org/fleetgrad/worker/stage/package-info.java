/** The program of one stage of a pipeline, or of several as threads. A driver commands what to train. */
@NullMarked
package org.fleetgrad.worker.stage;

import org.jspecify.annotations.NullMarked;
