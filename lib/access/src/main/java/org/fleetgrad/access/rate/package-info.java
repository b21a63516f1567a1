/** Rate limits: how often a caller may send requests, and how often an address may fail to authenticate. */
@NullMarked
package org.fleetgrad.access.rate;

import org.jspecify.annotations.NullMarked;
