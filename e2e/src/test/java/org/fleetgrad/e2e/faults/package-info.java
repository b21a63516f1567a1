/** Tests of runs in which the network, the disk, workers or the server fail; docs/faults.md has the table. */
@NullMarked
package org.fleetgrad.e2e.faults;

import org.jspecify.annotations.NullMarked;
