/** Keeps the workers of a run busy with activations, and logs each of them. */
@NullMarked
package org.fleetgrad.runs.fleet;

import org.jspecify.annotations.NullMarked;
