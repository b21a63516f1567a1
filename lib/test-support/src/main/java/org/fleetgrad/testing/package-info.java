/** What tests of several modules share. */
@NullMarked
package org.fleetgrad.testing;

import org.jspecify.annotations.NullMarked;
