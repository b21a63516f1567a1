package org.fleetgrad.ps.training;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;

/** Hears of what the applier did, in the applier's turn: implementations return at once. */
public interface TrainingListener {

    /** A parameter set was taken from outside. */
    void parametersPut(ParameterVersion version, int tensors, long values);

    /** What was kept was brought back; the history goes on at this version. */
    void recovered(ParameterVersion version, long samples);

    /** A change of membership could not be journaled, and was put off. */
    void notJournaled(IOException failure);

    /** A push was answered. */
    void pushed(PushOutcome outcome);

    /** A step was made of {@code gradients} gradients, the oldest of them {@code staleness} steps old. */
    void stepped(ParameterVersion version, int gradients, long staleness);
}
