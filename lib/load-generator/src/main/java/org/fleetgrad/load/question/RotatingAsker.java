package org.fleetgrad.load.question;

import java.io.IOException;
import java.util.List;

/** Calls several servers round-robin, each over its own connection. */
public final class RotatingAsker implements Asker {

    private final List<Asker> askers;
    private int next;

    /**
     * Makes one.
     *
     * @param askers one for each server, one or more
     * @param first  start position of the round-robin, so that not all clients begin with the same server
     */
    public RotatingAsker(List<? extends Asker> askers, int first) {
        this.askers = List.copyOf(askers);
        this.next = first % askers.size();
    }

    @Override
    public void connect() throws IOException {
        for (Asker asker : askers) {
            asker.connect();
        }
    }

    @Override
    public Reply ask(byte[] body) throws IOException {
        Asker asker = askers.get(next);
        next = (next + 1) % askers.size();
        return asker.ask(body);
    }

    @Override
    public long connections() {
        return askers.stream().mapToLong(Asker::connections).sum();
    }

    @Override
    public void close() {
        askers.forEach(Asker::close);
    }
}
