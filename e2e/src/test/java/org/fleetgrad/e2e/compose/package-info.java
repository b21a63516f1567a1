/** Tests of the system as Compose starts it. */
@NullMarked
package org.fleetgrad.e2e.compose;

import org.jspecify.annotations.NullMarked;
