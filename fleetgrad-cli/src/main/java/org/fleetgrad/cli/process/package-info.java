/** The programs of Fleetgrad as processes: started together, ended together. */
@NullMarked
package org.fleetgrad.cli.process;

import org.jspecify.annotations.NullMarked;
