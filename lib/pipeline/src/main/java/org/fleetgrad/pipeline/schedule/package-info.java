/** In which order a stage goes forward and backward, and how stale its gradients are because of it. */
@NullMarked
package org.fleetgrad.pipeline.schedule;

import org.jspecify.annotations.NullMarked;
