/** The report of a run: its figures, its cost, and a page that shows them. */
@NullMarked
package org.fleetgrad.reports;

import org.jspecify.annotations.NullMarked;
