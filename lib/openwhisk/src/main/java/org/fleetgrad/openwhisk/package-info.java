/** A client of Apache OpenWhisk's REST API: what stores an action, invokes it and reads how an activation ended. */
@NullMarked
package org.fleetgrad.openwhisk;

import org.jspecify.annotations.NullMarked;
