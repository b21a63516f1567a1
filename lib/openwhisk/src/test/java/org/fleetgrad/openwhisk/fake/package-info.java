/**
 * An OpenWhisk for tests: a controller and an invoker that behave as real ones were observed to, with containers that
 * the test supplies.
 */
@NullMarked
package org.fleetgrad.openwhisk.fake;

import org.jspecify.annotations.NullMarked;
