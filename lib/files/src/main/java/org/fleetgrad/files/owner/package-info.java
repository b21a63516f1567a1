/** The process that owns a program; the program ends with it. */
@NullMarked
package org.fleetgrad.files.owner;

import org.jspecify.annotations.NullMarked;
