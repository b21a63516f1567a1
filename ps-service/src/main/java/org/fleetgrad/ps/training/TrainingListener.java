package org.fleetgrad.ps.training;

import org.fleetgrad.protocol.ParameterVersion;

/** Hears of what the applier did, in the applier's thread: implementations return at once. */
public interface TrainingListener {

    /** A parameter set was taken from outside. */
    void parametersPut(ParameterVersion version, int tensors, long values);

    /** A push was answered. */
    void pushed(PushOutcome outcome);

    /** A step was made of {@code gradients} gradients, the oldest of them {@code staleness} steps old. */
    void stepped(ParameterVersion version, int gradients, long staleness);
}
