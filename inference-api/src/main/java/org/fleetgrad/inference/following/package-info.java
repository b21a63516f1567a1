/** Follows the parameter server, and passes on each new version. */
@NullMarked
package org.fleetgrad.inference.following;

import org.jspecify.annotations.NullMarked;
