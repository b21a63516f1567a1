/**
 * The arithmetic of training: optimizers, staleness rules and learning-rate schedules on float32 arrays, with PyTorch's
 * numbers.
 */
@NullMarked
package org.fleetgrad.optim;

import org.jspecify.annotations.NullMarked;
