/** Held-out accuracies of versions, and what follows from them. */
@NullMarked
package org.fleetgrad.serving.policy;

import org.jspecify.annotations.NullMarked;
