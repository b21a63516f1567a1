/** Makes a run survive restarts: checkpoints, the journal of everything accepted since, and the recovery from both. */
@NullMarked
package org.fleetgrad.ps.durability;

import org.jspecify.annotations.NullMarked;
