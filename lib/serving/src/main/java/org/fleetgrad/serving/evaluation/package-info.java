/** Measures versions on held-out samples; whoever evaluates, this is the arithmetic. */
@NullMarked
package org.fleetgrad.serving.evaluation;

import org.jspecify.annotations.NullMarked;
