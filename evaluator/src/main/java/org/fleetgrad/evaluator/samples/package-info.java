/** Finds the held-out samples, and never samples of the training set. */
@NullMarked
package org.fleetgrad.evaluator.samples;

import org.jspecify.annotations.NullMarked;
