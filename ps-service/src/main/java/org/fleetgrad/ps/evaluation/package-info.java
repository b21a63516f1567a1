/** Held-out results that an evaluator reports. */
@NullMarked
package org.fleetgrad.ps.evaluation;

import org.jspecify.annotations.NullMarked;
