/** Keeps versions of a model ready to answer, and swaps them while they answer. */
@NullMarked
package org.fleetgrad.serving;

import org.jspecify.annotations.NullMarked;
