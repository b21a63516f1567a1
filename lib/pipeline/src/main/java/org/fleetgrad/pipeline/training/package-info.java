/** The stages at work: forward, backward, step and flush, with the cures, and all of them together in one process. */
@NullMarked
package org.fleetgrad.pipeline.training;

import org.jspecify.annotations.NullMarked;
