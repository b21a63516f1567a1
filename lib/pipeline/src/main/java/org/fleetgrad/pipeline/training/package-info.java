/** Training of the stages: forward, backward, step and flush, with the cures, and all stages together in one process. */
@NullMarked
package org.fleetgrad.pipeline.training;

import org.jspecify.annotations.NullMarked;
