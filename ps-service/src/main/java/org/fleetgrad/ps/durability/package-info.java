/** Keeping a run: checkpoints, the journal of what was accepted since, and bringing both back. */
@NullMarked
package org.fleetgrad.ps.durability;

import org.jspecify.annotations.NullMarked;
