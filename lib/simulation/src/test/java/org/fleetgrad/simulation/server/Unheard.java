package org.fleetgrad.simulation.server;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.run.TrainingListener;

/** Hears nothing. */
final class Unheard implements TrainingListener {

    @Override
    public void parametersPut(ParameterVersion version, int tensors, ValueCount values) {}

    @Override
    public void recovered(ParameterVersion version, ValueCount values, long samples) {}

    @Override
    public void notJournaled(IOException failure) {}

    @Override
    public void pushed(PushOutcome outcome) {}

    @Override
    public void stepped(ParameterVersion version, int gradients, long staleness) {}
}
