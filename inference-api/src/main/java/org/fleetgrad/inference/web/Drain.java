package org.fleetgrad.inference.web;

import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.completion.Completions;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Closes the batcher before the web server stops: admitted predictions are answered, and requests that arrive over open
 * connections meanwhile get 503 and Retry-After. Completions, which may be long, end where they are.
 */
@Component
class Drain implements SmartLifecycle {

    private final Batcher batcher;
    private final Completions completions;
    private volatile boolean isRunning;

    Drain(Batcher batcher, Completions completions) {
        this.batcher = batcher;
        this.completions = completions;
    }

    @Override
    public void start() {
        isRunning = true;
    }

    @Override
    public void stop() {
        isRunning = false;
        completions.close();
        batcher.close();
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    // The highest phase stops first, even before the web server's own graceful shutdown begins.
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
