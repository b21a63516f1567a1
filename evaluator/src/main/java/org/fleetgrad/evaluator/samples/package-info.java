/** Finds the held-out samples, and nothing that the network learned from. */
@NullMarked
package org.fleetgrad.evaluator.samples;

import org.jspecify.annotations.NullMarked;
