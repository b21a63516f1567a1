/** Keeps the workers of a run busy with activations, and logs each of them. */
@NullMarked
package org.fleetgrad.cli.fleet;

import org.jspecify.annotations.NullMarked;
