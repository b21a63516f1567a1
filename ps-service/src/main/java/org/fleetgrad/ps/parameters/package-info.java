/** The parameter set as it is served: immutable snapshots, their buffers, and those who wait for the next. */
@NullMarked
package org.fleetgrad.ps.parameters;

import org.jspecify.annotations.NullMarked;
