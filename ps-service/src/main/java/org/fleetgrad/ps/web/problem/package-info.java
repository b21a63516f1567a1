/** What a refused request is answered: problems (RFC 9457), and which outcome is which problem. */
@NullMarked
package org.fleetgrad.ps.web.problem;

import org.jspecify.annotations.NullMarked;
