/** A run whose network is cut into stages: its plan, its flushes, its end. */
@NullMarked
package org.fleetgrad.pipelineruns;

import org.jspecify.annotations.NullMarked;
