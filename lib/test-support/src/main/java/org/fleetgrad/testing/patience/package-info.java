/** How long tests wait for what has to happen eventually. */
@NullMarked
package org.fleetgrad.testing.patience;

import org.jspecify.annotations.NullMarked;
