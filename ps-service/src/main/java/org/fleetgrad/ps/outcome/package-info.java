/** The outcomes of submissions to the applier, and the answer if a submission was not processed at all. */
@NullMarked
package org.fleetgrad.ps.outcome;

import org.jspecify.annotations.NullMarked;
