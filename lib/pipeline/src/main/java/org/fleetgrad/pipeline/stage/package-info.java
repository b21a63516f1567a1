/** The computation of a stage: forward, backward, and the slots that store copies of its weights. */
@NullMarked
package org.fleetgrad.pipeline.stage;

import org.jspecify.annotations.NullMarked;
