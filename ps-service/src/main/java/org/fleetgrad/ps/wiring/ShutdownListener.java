package org.fleetgrad.ps.wiring;

import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** Ends waiting requests when the service stops: the web server would wait for them until its grace period ends. */
final class ShutdownListener implements ApplicationListener<ContextClosedEvent> {

    private final PublishedParameters published;
    private final RunEvents events;

    ShutdownListener(PublishedParameters published, RunEvents events) {
        this.published = published;
        this.events = events;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        published.end();
        events.end();
    }
}
