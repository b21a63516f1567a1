/** What measurements come to. */
@NullMarked
package org.fleetgrad.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
