/** The report of a run: its figures, its cost, and a page that shows them. */
@NullMarked
package org.fleetgrad.cli.report;

import org.jspecify.annotations.NullMarked;
