/** What computes a stage: forward, backward, and the places where it keeps copies of its weights. */
@NullMarked
package org.fleetgrad.pipeline.stage;

import org.jspecify.annotations.NullMarked;
