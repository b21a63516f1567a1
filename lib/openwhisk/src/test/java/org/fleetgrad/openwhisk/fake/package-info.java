/** An OpenWhisk for tests: controller and invoker as they were observed, with containers that the test starts. */
@NullMarked
package org.fleetgrad.openwhisk.fake;

import org.jspecify.annotations.NullMarked;
