/** Serves and evaluates the newest version of the model. This package has the settings and wires the parts. */
@NullMarked
package org.fleetgrad.inference;

import org.jspecify.annotations.NullMarked;
