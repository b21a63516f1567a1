/** Tests of the images, run as the platforms run them. */
@NullMarked
package org.fleetgrad.e2e.container;

import org.jspecify.annotations.NullMarked;
