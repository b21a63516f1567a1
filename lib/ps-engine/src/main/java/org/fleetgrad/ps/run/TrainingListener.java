package org.fleetgrad.ps.run;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ValueCount;

/** Is notified of what the applier did. It is called under the applier lock, so implementations return at once. */
public interface TrainingListener {

    /** A parameter set was taken from outside. */
    void parametersPut(ParameterVersion version, int tensors, ValueCount values);

    /** The run was recovered: so many values, after so many samples. Its history continues at this version. */
    void recovered(ParameterVersion version, ValueCount values, long samples);

    /** A change of membership could not be journaled; the next tick tries again. */
    void notJournaled(IOException failure);

    /** A push was taken or refused; not called for one that could not be journaled. */
    void pushed(PushOutcome outcome);

    /** A step was made of {@code gradients} gradients, the oldest of them {@code staleness} steps old. */
    void stepped(ParameterVersion version, int gradients, long staleness);
}
