/** The programs of Fleetgrad as processes of this machine: started together, ended together. */
@NullMarked
package org.fleetgrad.runs.process;

import org.jspecify.annotations.NullMarked;
