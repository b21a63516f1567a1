/** The processor time of each test class. */
@NullMarked
package org.fleetgrad.testing.cost;

import org.jspecify.annotations.NullMarked;
