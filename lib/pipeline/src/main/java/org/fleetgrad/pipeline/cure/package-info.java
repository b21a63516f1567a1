/** Which cures for staleness are combined, and which combinations are legal. */
@NullMarked
package org.fleetgrad.pipeline.cure;

import org.jspecify.annotations.NullMarked;
