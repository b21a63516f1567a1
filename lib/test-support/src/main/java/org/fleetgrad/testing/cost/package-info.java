/** What each test class costs in processor time. */
@NullMarked
package org.fleetgrad.testing.cost;

import org.jspecify.annotations.NullMarked;
