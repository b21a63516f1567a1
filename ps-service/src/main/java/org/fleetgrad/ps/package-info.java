/** The parameter server: its program and its settings. */
@NullMarked
package org.fleetgrad.ps;

import org.jspecify.annotations.NullMarked;
