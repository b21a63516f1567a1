/** The options of the commands that train: their syntax, and which options are compatible. */
@NullMarked
package org.fleetgrad.cli.options;

import org.jspecify.annotations.NullMarked;
