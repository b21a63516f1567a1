/** Turns requests into images, and images into predictions. */
@NullMarked
package org.fleetgrad.inference.prediction;

import org.jspecify.annotations.NullMarked;
