/** What happens to a run when the network, the disk, workers or the server fail; docs/faults.md is the table. */
@NullMarked
package org.fleetgrad.e2e.faults;

import org.jspecify.annotations.NullMarked;
