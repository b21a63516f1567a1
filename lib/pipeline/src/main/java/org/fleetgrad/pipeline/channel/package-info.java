/** How frames get from one stage to the next: bounded queues, in memory or over another transport. */
@NullMarked
package org.fleetgrad.pipeline.channel;

import org.jspecify.annotations.NullMarked;
