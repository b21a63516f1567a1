/** The order of a stage's forward and backward passes, and the resulting staleness of its gradients. */
@NullMarked
package org.fleetgrad.pipeline.schedule;

import org.jspecify.annotations.NullMarked;
