/** A pipeline on a virtual clock: what a schedule costs, without computing anything. */
@NullMarked
package org.fleetgrad.pipeline.simulation;

import org.jspecify.annotations.NullMarked;
