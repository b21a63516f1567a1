/** The commands: options in, calls of the plain classes, text or JSON out. */
@NullMarked
package org.fleetgrad.tools.command;

import org.jspecify.annotations.NullMarked;
