/** Makes the features, connects them with Spring, and starts and stops them. */
@NullMarked
package org.fleetgrad.ps.wiring;

import org.jspecify.annotations.NullMarked;
