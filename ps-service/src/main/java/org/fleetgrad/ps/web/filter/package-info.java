/** The filters that run before every route: security, recovery, leases, and the draining of an unread body. */
@NullMarked
package org.fleetgrad.ps.web.filter;

import org.jspecify.annotations.NullMarked;
