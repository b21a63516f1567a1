/** What a run looks like in a terminal. */
@NullMarked
package org.fleetgrad.cli.display;

import org.jspecify.annotations.NullMarked;
