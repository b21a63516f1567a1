/** The contract of the store that keeps a run: the state, the journal's entries, and how they come back. */
@NullMarked
package org.fleetgrad.ps.persistence;

import org.jspecify.annotations.NullMarked;
