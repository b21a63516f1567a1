/** A small HTTP service over the JDK's server, for programs without Spring: access, and bounds of time and size, before its routes. */
@NullMarked
package org.fleetgrad.access.small;

import org.jspecify.annotations.NullMarked;
