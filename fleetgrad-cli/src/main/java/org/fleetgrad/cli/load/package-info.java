/** {@code fleetgrad load}: sends held-out samples to a model that answers, and measures how well and how fast. */
@NullMarked
package org.fleetgrad.cli.load;

import org.jspecify.annotations.NullMarked;
