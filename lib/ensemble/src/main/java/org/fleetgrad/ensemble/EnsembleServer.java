package org.fleetgrad.ensemble;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.access.ReaderKeys;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.Credentials.KeySetting;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.http.server.BufferedRequest;
import org.fleetgrad.http.server.Reply;
import org.fleetgrad.http.server.SmallLimits;
import org.fleetgrad.http.server.SmallServer;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;

/**
 * The ensemble over HTTP: {@code POST /predict} and {@code GET /status}. It computes nothing itself: a body is forwarded to
 * the members as received.
 */
public final class EnsembleServer implements AutoCloseable {

    private static final int WORKING = 64;
    private static final long LOOK_MS = 500;

    private final EnsembleMembers members;
    private final MemberRequests questions;
    private final Ensemble ensemble;
    private final SmallServer server;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(EnsembleServer::daemon);

    /** Fetches the parameter server's workers, and from then on serves clients with a token of {@code issuer}. */
    EnsembleServer(
            InetSocketAddress address,
            TokenIssuer issuer,
            EnsembleMembers members,
            MemberRequests questions,
            Ensemble ensemble)
            throws IOException {
        this.members = members;
        this.questions = questions;
        this.ensemble = ensemble;
        this.server =
                new SmallServer("ensemble", address, issuer, SmallLimits.defaults(WORKING), this::handle, System.err);
        members.look();
        ScheduledFuture<?> unused =
                looking.scheduleWithFixedDelay(members::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        server.start();
    }

    /**
     * Starts an ensemble: fetches the workers of a run, and from then on serves clients.
     *
     * @param address     to listen on; port 0 for any free one
     * @param lead        the lead server of the run, where every worker registers
     * @param timeout     for each worker's complete response
     * @param vote        how the workers' predictions are combined
     * @param environment {@code ENSEMBLE_ACCESS_KEY} and the like: the keys of readers, and those that workers require
     * @throws IllegalArgumentException if keys are wrong, or missing although other machines can reach the address
     * @throws IOException              if nothing can listen on the address
     */
    public static EnsembleServer start(
            InetSocketAddress address, PsClient lead, Duration timeout, Vote vote, Map<String, String> environment)
            throws IOException {
        ReaderKeys readers = new ReaderKeys("ENSEMBLE_", environment);
        readers.requireSafe(address.getAddress(), "--address");
        Optional<Credentials> workers = Credentials.of(
                key("ENSEMBLE_WORKERS_ACCESS_KEY", environment), key("ENSEMBLE_WORKERS_SECRET_KEY", environment));
        return new EnsembleServer(
                address,
                readers.issuer(Clock.systemUTC()),
                new EnsembleMembers(lead::status, Clock.systemUTC()),
                new MemberRequests(timeout, workers, System::nanoTime),
                new Ensemble(vote));
    }

    private static KeySetting key(String name, Map<String, String> environment) {
        return new KeySetting(name, environment.get(name), name + "_FILE", environment.get(name + "_FILE"));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "ensemble-members");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the address at which it answers. */
    public URI address() {
        InetSocketAddress at = server.address();
        return URI.create("http://%s:%d".formatted(at.getAddress().getHostAddress(), at.getPort()));
    }

    /** Describes the workers: their number, or why there is none. */
    public String describeMembers() {
        return members.trouble().orElseGet(() -> "workers: " + members.current().size());
    }

    private Reply handle(BufferedRequest request) {
        return switch (request.path()) {
            case "/predict" -> request.method().equals("POST") ? predict(request) : Reply.wrongMethod("POST");
            case Routes.STATUS -> request.method().equals("GET") ? status() : Reply.wrongMethod("GET");
            default ->
                Reply.problem(
                        ProblemKind.NOT_FOUND,
                        "an ensemble knows POST /predict, GET /status and POST /issueToken only");
        };
    }

    private Reply predict(BufferedRequest request) {
        Poll poll = questions.ask(members.current(), request.body(), String.valueOf(request.mediaType()));
        Joined joined = ensemble.join(poll);
        if (joined instanceof Joined.Answered answered) {
            return Reply.json(answered.reply());
        }
        if (joined instanceof Joined.Mixed mixed) {
            return Reply.later(ProblemKind.NO_MODEL, mixed.why());
        }
        if (!poll.refused().isEmpty()) {
            // All members that responded rejected the request: return one of the problems.
            Poll.Refusal first = poll.refused().get(0);
            return Reply.problem(first.status(), first.body().getBytes(StandardCharsets.UTF_8));
        }
        return Reply.later(ProblemKind.NO_MODEL, "no worker answered: " + absence(poll));
    }

    private String absence(Poll poll) {
        return poll.leftOut().isEmpty()
                ? members.trouble().orElse("there is none")
                : String.join(
                        "; ",
                        poll.leftOut().stream()
                                .map(left -> "%s at %s %s"
                                        .formatted(
                                                left.member().worker(),
                                                left.member().address(),
                                                left.why()))
                                .toList());
    }

    private Reply status() {
        List<EnsembleStatusReply.Listed> listed = members.current().stream()
                .map(member -> new EnsembleStatusReply.Listed(
                        member.worker(), member.address().toString()))
                .toList();
        return Reply.json(new EnsembleStatusReply(
                200, listed.isEmpty() ? "waiting" : "serving", members.trouble().orElse(null), listed));
    }

    @Override
    public void close() {
        looking.shutdownNow();
        server.close();
    }
}
