/** How often the properties of all modules are tried. */
@NullMarked
package org.fleetgrad.testing.property;

import org.jspecify.annotations.NullMarked;
