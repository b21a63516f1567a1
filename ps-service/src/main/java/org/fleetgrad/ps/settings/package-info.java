/** How a run trains: its mode, what makes a step, its optimizer and its staleness rule. */
@NullMarked
package org.fleetgrad.ps.settings;

import org.jspecify.annotations.NullMarked;
