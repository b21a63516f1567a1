/** The contract of the store that persists a run: the state, the journal's entries, and their recovery. */
@NullMarked
package org.fleetgrad.ps.persistence;

import org.jspecify.annotations.NullMarked;
