/** Results as a table, as CSV and as JSON, and the best version. */
@NullMarked
package org.fleetgrad.evaluator.outcome;

import org.jspecify.annotations.NullMarked;
