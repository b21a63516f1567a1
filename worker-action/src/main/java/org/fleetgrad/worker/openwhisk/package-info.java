/** The worker as an action of OpenWhisk's Java kind: the main function of the jar {@code worker-action-openwhisk.jar}. */
@NullMarked
package org.fleetgrad.worker.openwhisk;

import org.jspecify.annotations.NullMarked;
