/** What a run asks of the store that keeps it: the state, the journal's entries, and how they come back. */
@NullMarked
package org.fleetgrad.ps.persistence;

import org.jspecify.annotations.NullMarked;
