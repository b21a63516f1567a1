/** One run's training as the server uses it: a bounded queue, and one thread at a time that drains it. */
@NullMarked
package org.fleetgrad.ps.training;

import org.jspecify.annotations.NullMarked;
