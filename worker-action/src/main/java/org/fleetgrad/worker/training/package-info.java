/** The training loop and its exchange with the parameter server. */
@NullMarked
package org.fleetgrad.worker.training;

import org.jspecify.annotations.NullMarked;
