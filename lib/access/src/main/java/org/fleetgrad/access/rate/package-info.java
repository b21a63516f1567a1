/** How often a caller may ask, and how often an address may fail to prove who it is. */
@NullMarked
package org.fleetgrad.access.rate;

import org.jspecify.annotations.NullMarked;
