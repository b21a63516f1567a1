/** Which cures for staleness are combined, and which combinations make sense. */
@NullMarked
package org.fleetgrad.pipeline.cure;

import org.jspecify.annotations.NullMarked;
