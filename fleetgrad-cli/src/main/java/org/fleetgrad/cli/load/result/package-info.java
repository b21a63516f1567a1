/** What came of the requests of a load: rows, percentiles, the course over time, and the files that keep them. */
@NullMarked
package org.fleetgrad.cli.load.result;

import org.jspecify.annotations.NullMarked;
