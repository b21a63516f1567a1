package org.fleetgrad.ensemble;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.protocol.ServingAddress;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/**
 * The members: the workers that the parameter server's status lists with an address. A worker leaves the list for a moment
 * between two shards, so an address stays a member for a grace period after it was listed; if the server itself is
 * unavailable, for as long as that lasts. Thread-safe.
 */
final class EnsembleMembers {

    /** Grace period of an address that is no longer listed. */
    static final Duration KEPT = Duration.ofSeconds(10);

    /** Reads the server's status. */
    @FunctionalInterface
    interface Source {
        StatusReply status() throws IOException;
    }

    private final Source source;
    private final Clock clock;
    private final Map<URI, Seen> seen = new ConcurrentHashMap<>();
    private volatile Optional<String> trouble = Optional.of("the parameter server was not called yet");

    private record Seen(Member member, Instant last) {}

    EnsembleMembers(Source source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Fetches the list from the server. */
    void look() {
        StatusReply status;
        try {
            status = source.status();
        } catch (IOException away) {
            trouble = Optional.of("the parameter server does not answer: " + away.getMessage());
            return;
        }
        Instant now = clock.instant();
        for (StatusReply.Worker worker : status.workers()) {
            if (worker.address() != null) {
                note(worker.id(), worker.address(), now);
            }
        }
        seen.values().removeIf(known -> known.last().plus(KEPT).isBefore(now));
        trouble = seen.isEmpty()
                ? Optional.of("none of the %d registered workers answers predictions: start workers with --serve"
                        .formatted(status.workers().size()))
                : Optional.empty();
    }

    private void note(String worker, String text, Instant now) {
        try {
            URI address = ServingAddress.parse("address", text);
            seen.put(address, new Seen(new Member(worker, address), now));
        } catch (IllegalArgumentException wrong) {
            // A server of another release may list an address that this one cannot call.
        }
    }

    /** Returns the members, by their ids. */
    List<Member> current() {
        List<Member> members = new ArrayList<>();
        seen.values().forEach(known -> members.add(Objects.requireNonNull(known).member()));
        members.sort(Comparator.comparing(Member::worker).thenComparing(Member::address));
        return members;
    }

    /** Describes what is wrong with the list; empty if nothing is. */
    Optional<String> trouble() {
        return trouble;
    }
}
