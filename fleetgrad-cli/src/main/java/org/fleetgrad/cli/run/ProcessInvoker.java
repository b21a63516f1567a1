package org.fleetgrad.cli.run;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/** Invokes a worker that is a process of this machine, and stays one: it has no deadline. */
final class ProcessInvoker implements Invoker {

    private static final Duration PATIENCE = Duration.ofHours(1);

    private final String name;
    private final ActionClient action;
    private final Map<String, Object> value;
    private boolean isCold = true;

    ProcessInvoker(String name, URI worker, Map<String, Object> value) {
        this.name = name;
        this.action = new ActionClient(name, worker);
        this.value = value;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init() throws IOException, InterruptedException {
        action.init();
    }

    @Override
    public ActivationEnd invoke() throws IOException, InterruptedException {
        boolean isFirst = isCold;
        isCold = false;
        return action.run(value, OptionalLong.empty(), PATIENCE, isFirst, 0);
    }
}
