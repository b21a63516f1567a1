/** Training over a link that is slower than the machine. */
@NullMarked
package org.fleetgrad.benchmarks.link;

import org.jspecify.annotations.NullMarked;
