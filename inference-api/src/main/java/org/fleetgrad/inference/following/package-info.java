/** Follows the parameter server, and passes each new version on. */
@NullMarked
package org.fleetgrad.inference.following;

import org.jspecify.annotations.NullMarked;
