/** The parameter set as the server hands it out: immutable snapshots, their buffers, and waiting for the next one. */
@NullMarked
package org.fleetgrad.ps.parameters;

import org.jspecify.annotations.NullMarked;
