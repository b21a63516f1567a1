/** Measures the newest version on held-out samples, in the background. */
@NullMarked
package org.fleetgrad.inference.evaluation;

import org.jspecify.annotations.NullMarked;
