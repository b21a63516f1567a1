/** The process that a program belongs to, and ends with. */
@NullMarked
package org.fleetgrad.files.owner;

import org.jspecify.annotations.NullMarked;
