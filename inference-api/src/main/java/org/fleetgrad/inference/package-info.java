/** Serves and evaluates the newest version of the model; here its settings, and how its parts are put together. */
@NullMarked
package org.fleetgrad.inference;

import org.jspecify.annotations.NullMarked;
