/** How long tests wait for asynchronous conditions. */
@NullMarked
package org.fleetgrad.testing.timeout;

import org.jspecify.annotations.NullMarked;
