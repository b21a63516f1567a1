/** The dashboard: the page that shows people how the run goes. */
@NullMarked
package org.fleetgrad.ps.web.page;

import org.jspecify.annotations.NullMarked;
