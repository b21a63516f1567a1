/** Support for the tests of all modules. */
@NullMarked
package org.fleetgrad.testing;

import org.jspecify.annotations.NullMarked;
