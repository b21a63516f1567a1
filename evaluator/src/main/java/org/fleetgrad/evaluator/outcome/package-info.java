/** What was measured: as a table, as CSV, as JSON, and which version is the best. */
@NullMarked
package org.fleetgrad.evaluator.outcome;

import org.jspecify.annotations.NullMarked;
