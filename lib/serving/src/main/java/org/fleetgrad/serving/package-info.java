/** Holds versions of a model in memory to answer predictions, and swaps them without interruption. */
@NullMarked
package org.fleetgrad.serving;

import org.jspecify.annotations.NullMarked;
