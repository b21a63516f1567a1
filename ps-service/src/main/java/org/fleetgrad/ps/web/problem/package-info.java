/** The responses to refused requests: problems (RFC 9457), and the table from outcomes to problems. */
@NullMarked
package org.fleetgrad.ps.web.problem;

import org.jspecify.annotations.NullMarked;
