/** Attacks on the real programs while honest workers train: {@code ./mvnw -q -Phostile verify}. */
@NullMarked
package org.fleetgrad.e2e.hostile;

import org.jspecify.annotations.NullMarked;
