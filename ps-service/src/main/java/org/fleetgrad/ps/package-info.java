/** The parameter server: its program, its settings, and how a start is refused. */
@NullMarked
package org.fleetgrad.ps;

import org.jspecify.annotations.NullMarked;
