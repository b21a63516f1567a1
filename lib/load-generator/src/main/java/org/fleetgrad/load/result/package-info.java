/** The results of a load's requests: rows, percentiles, the course over time, and their files. */
@NullMarked
package org.fleetgrad.load.result;

import org.jspecify.annotations.NullMarked;
