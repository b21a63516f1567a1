/** Answers from the tensors that are trained, compared bit by bit with exact ones. */
@NullMarked
package org.fleetgrad.benchmarks.serving.torn;

import org.jspecify.annotations.NullMarked;
