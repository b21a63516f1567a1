/** What becomes of a submission to the applier: whether it was worked off at all, and with which outcome. */
@NullMarked
package org.fleetgrad.ps.outcome;

import org.jspecify.annotations.NullMarked;
