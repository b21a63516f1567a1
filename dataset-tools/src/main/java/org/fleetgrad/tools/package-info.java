/** The dataset CLI: its entry point, and what all of its parts share. */
@NullMarked
package org.fleetgrad.tools;

import org.jspecify.annotations.NullMarked;
