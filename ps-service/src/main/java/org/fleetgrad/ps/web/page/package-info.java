/** The dashboard: the page that shows the progress of the run. */
@NullMarked
package org.fleetgrad.ps.web.page;

import org.jspecify.annotations.NullMarked;
