/** The evaluation of versions on held-out samples, by a separate program. */
@NullMarked
package org.fleetgrad.cli.evaluate;

import org.jspecify.annotations.NullMarked;
