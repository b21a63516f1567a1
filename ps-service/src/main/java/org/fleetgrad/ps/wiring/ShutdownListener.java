package org.fleetgrad.ps.wiring;

import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** Ends waiting requests when the service stops: the web server would wait for them until its grace period ends. */
record ShutdownListener(PublishedParameters published, RunEvents events)
        implements ApplicationListener<ContextClosedEvent> {

    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        published.end();
        events.end();
    }
}
