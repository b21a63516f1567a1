/** Turns an uploaded dataset into the work of a parameter server. */
@NullMarked
package org.fleetgrad.tools.work;

import org.jspecify.annotations.NullMarked;
