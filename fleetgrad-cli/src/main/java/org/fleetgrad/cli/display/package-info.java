/** Shows a run in a terminal: lines, figures and the picture of a digit. */
@NullMarked
package org.fleetgrad.cli.display;

import org.jspecify.annotations.NullMarked;
