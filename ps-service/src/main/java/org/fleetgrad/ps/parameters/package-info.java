/** The parameter set as it is served: immutable snapshots, their buffers, and waiting for the next one. */
@NullMarked
package org.fleetgrad.ps.parameters;

import org.jspecify.annotations.NullMarked;
