/** How a parameter set is cut into the partitions that several servers hold, and joined again. */
@NullMarked
package org.fleetgrad.protocol.partition;

import org.jspecify.annotations.NullMarked;
