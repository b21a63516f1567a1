/** A run on this machine: dataset, processes, activations, stop, result. */
@NullMarked
package org.fleetgrad.cli.run;

import org.jspecify.annotations.NullMarked;
