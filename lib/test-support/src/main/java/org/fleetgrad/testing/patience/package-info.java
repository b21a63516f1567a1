/** How long tests wait for asynchronous conditions. */
@NullMarked
package org.fleetgrad.testing.patience;

import org.jspecify.annotations.NullMarked;
