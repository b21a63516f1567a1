/** The commands: they read options, call the other packages, and print text or JSON. */
@NullMarked
package org.fleetgrad.tools.command;

import org.jspecify.annotations.NullMarked;
