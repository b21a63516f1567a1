/** What a run leaves to read: its figures, what they cost, and a page that shows them. */
@NullMarked
package org.fleetgrad.cli.report;

import org.jspecify.annotations.NullMarked;
