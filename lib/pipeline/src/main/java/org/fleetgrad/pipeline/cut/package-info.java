/** Where a network is cut into stages: balanced or by hand, with the time and the memory of each stage. */
@NullMarked
package org.fleetgrad.pipeline.cut;

import org.jspecify.annotations.NullMarked;
