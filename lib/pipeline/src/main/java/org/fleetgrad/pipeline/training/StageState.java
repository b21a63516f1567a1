package org.fleetgrad.pipeline.training;

import org.fleetgrad.optim.RuleState;

/**
 * Everything that a stage needs to continue from a flush, when nothing is in flight.
 *
 * @param steps      steps made, over all windows; the version of the weights
 * @param parameters the current weights
 * @param state      of the network, such as running statistics
 * @param optimizer  its state, such as momentum, with the state of the gap penalty
 */
public record StageState(long steps, float[] parameters, float[] state, RuleState optimizer) {}
