/** Held-out accuracies of versions, and the policies that use them. */
@NullMarked
package org.fleetgrad.serving.policy;

import org.jspecify.annotations.NullMarked;
