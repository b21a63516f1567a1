/** A client of Apache OpenWhisk's REST API: stores actions, invokes them, and reads how activations ended. */
@NullMarked
package org.fleetgrad.openwhisk;

import org.jspecify.annotations.NullMarked;
