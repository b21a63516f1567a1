/** A runtime of OpenWhisk's Java kind: it takes an action's jar by {@code /init} and calls it at each {@code /run}. */
@NullMarked
package org.fleetgrad.worker.javakind;

import org.jspecify.annotations.NullMarked;
