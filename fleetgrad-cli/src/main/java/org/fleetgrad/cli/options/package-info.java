/** The options of the commands that train: what a person may write, and which options go together. */
@NullMarked
package org.fleetgrad.cli.options;

import org.jspecify.annotations.NullMarked;
