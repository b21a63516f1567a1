/** Tests of what is around the actions of an OpenWhisk: its triggers and rules. */
@NullMarked
package org.fleetgrad.e2e.openwhisk;

import org.jspecify.annotations.NullMarked;
