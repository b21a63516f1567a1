/** The worker's program. */
@NullMarked
package org.fleetgrad.worker;

import org.jspecify.annotations.NullMarked;
