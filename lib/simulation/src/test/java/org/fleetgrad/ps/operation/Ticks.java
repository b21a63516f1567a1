package org.fleetgrad.ps.operation;

import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;

/** Makes the ticks of a server whose timer is simulated. */
public final class Ticks {

    private Ticks() {}

    /** Returns what happens at each tick. */
    public static Runnable of(Leases leases, Training training, PublishedParameters published) {
        return new RunTicker(leases, training, published, new RunEvents(), () -> {})::tick;
    }
}
