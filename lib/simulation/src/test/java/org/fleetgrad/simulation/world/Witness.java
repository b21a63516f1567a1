package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.simulation.network.Wire;
import org.fleetgrad.simulation.server.SimulatedServer;

/**
 * Sees what servers send: a version has the same bytes whenever somebody gets it, and a server that is back is not behind what anybody
 * saw of the same history. So no version is torn, and nobody sees what was not durable.
 */
final class Witness implements Wire.Seen {

    private static final Pattern TAG = Pattern.compile("\"(g[0-9_]+)-(\\d+)(-.*)?\"");

    private final Consumer<SimulatedServer> whenLost;
    private final Map<String, Integer> contents = new HashMap<>();
    private final Map<String, Long> newest = new HashMap<>();
    private long history = 1;

    /** @param whenLost what happens to a server when a client does not get its response */
    Witness(Consumer<SimulatedServer> whenLost) {
        this.whenLost = whenLost;
    }

    /** Returns a number of everything that was sent so far: two histories that differ have different ones. */
    long history() {
        return history;
    }

    @Override
    public void sent(SimulatedServer from, Request request, Response response) {
        note(from.index());
        note(request.uri().hashCode());
        note(response.status());
        note(response.body().duplicate().hashCode());
        String tag = response.header("ETag").orElse("");
        Matcher parts = TAG.matcher(tag);
        if (!parts.matches()) {
            return;
        }
        newest.merge(from.index() + parts.group(1), Long.parseLong(parts.group(2)), Math::max);
        if (response.status() == 200 && response.body().remaining() > 0) {
            int content = response.body().duplicate().hashCode();
            Integer before = contents.putIfAbsent(from.index() + tag, content);
            assertThat(before == null || before == content)
                    .as("version %s of server %d has other bytes than before", tag, from.index())
                    .isTrue();
        }
    }

    @Override
    public void lost(SimulatedServer from) {
        whenLost.accept(from);
    }

    private void note(int what) {
        history = 31 * history + what;
    }

    /** Looks at a server that has recovered its run. */
    void recovered(SimulatedServer server) {
        if (server.version().isEmpty()) {
            return;
        }
        ParameterVersion version = server.version().get();
        long seen = newest.getOrDefault(server.index() + version.generation(), 0L);
        assertThat(version.version())
                .as("server %d is back at %s", server.index(), version)
                .isGreaterThanOrEqualTo(seen);
    }
}
