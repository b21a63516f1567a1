/** What happens in the run, for those who watch. */
@NullMarked
package org.fleetgrad.ps.events;

import org.jspecify.annotations.NullMarked;
