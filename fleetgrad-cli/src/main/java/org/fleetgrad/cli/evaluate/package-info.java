/** The evaluation of versions on held-out samples, which a program of its own does. */
@NullMarked
package org.fleetgrad.cli.evaluate;

import org.jspecify.annotations.NullMarked;
