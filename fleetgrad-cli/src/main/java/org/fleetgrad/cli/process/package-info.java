/** The programs of Fleetgrad as processes of this machine: started together, ended together. */
@NullMarked
package org.fleetgrad.cli.process;

import org.jspecify.annotations.NullMarked;
