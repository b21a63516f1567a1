package org.fleetgrad.ensemble;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.ensemble.Poll.Ballot;
import org.fleetgrad.ensemble.Poll.Cast;
import org.fleetgrad.ensemble.Poll.LeftOut;
import org.fleetgrad.ensemble.Poll.Refusal;
import org.fleetgrad.ensemble.Poll.Returned;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the same request to all members concurrently, over persistent connections. A member that timed out is skipped for a
 * pause, so that one that hangs does not delay every response. Thread-safe.
 */
final class MemberRequests {

    /** How long a member that timed out is skipped. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int UNAUTHORIZED = 401;

    private final HttpClient client;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final JsonMapper json = JsonMapper.builder().build();
    private final Map<Member, Long> slowUntil = new ConcurrentHashMap<>();
    private final Optional<Credentials> keys;
    private final Map<URI, ServiceToken> tokens = new ConcurrentHashMap<>();
    private final Executor tokenThreads = Executors.newCachedThreadPool(MemberRequests::daemon);

    /**
     * @param timeout  for each member's complete response
     * @param keys     sent to members that require them
     * @param nanoTime the time of the pauses in nanoseconds, as {@link System#nanoTime}
     */
    MemberRequests(Duration timeout, Optional<Credentials> keys, LongSupplier nanoTime) {
        this.timeout = timeout;
        this.keys = keys;
        this.nanoTime = nanoTime;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "ensemble-token");
        thread.setDaemon(true);
        return thread;
    }

    /** Sends a body to all members; returns when each has responded or timed out. */
    Poll ask(List<Member> members, byte[] body, String contentType) {
        List<CompletableFuture<Returned>> asked = new ArrayList<>();
        members.forEach(member -> asked.add(ask(member, body, contentType)));
        Poll poll = new Poll(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (CompletableFuture<Returned> each : asked) {
            Returned returned = each.join();
            if (returned instanceof Cast cast) {
                poll.ballots().add(cast.ballot());
            } else if (returned instanceof Refusal refusal) {
                poll.refused().add(refusal);
            } else {
                poll.leftOut().add((LeftOut) returned);
            }
        }
        return poll;
    }

    private CompletableFuture<Returned> ask(Member member, byte[] body, String contentType) {
        Long until = slowUntil.get(member);
        if (until != null && nanoTime.getAsLong() - until < 0) {
            return CompletableFuture.completedFuture(
                    new LeftOut(member, "did not respond within %d ms a moment ago".formatted(timeout.toMillis())));
        }
        slowUntil.remove(member);
        return authorization(member)
                .thenCompose(token -> send(member, body, contentType, token))
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle((response, failure) -> failure == null ? returned(member, response) : failed(member, failure));
    }

    /** Returns the header that a member requires; empty if none. Fetching a token blocks, so another thread does it. */
    private CompletableFuture<Optional<String>> authorization(Member member) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        ServiceToken token = tokens.computeIfAbsent(
                member.address(),
                address -> new ServiceToken(address, keys.get(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO)));
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return token.authorization();
                    } catch (IOException refused) {
                        throw new CompletionException(refused);
                    }
                },
                tokenThreads);
    }

    private CompletableFuture<HttpResponse<String>> send(
            Member member, byte[] body, String contentType, Optional<String> authorization) {
        HttpRequest.Builder request = HttpRequest.newBuilder(member.predict())
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        authorization.ifPresent(token -> request.header("Authorization", token));
        CompletableFuture<HttpResponse<String>> sent =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return sent.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).whenComplete((response, failure) -> {
            if (failure != null) {
                // Ends the exchange: a late response is not read.
                sent.cancel(true);
            } else if (response.statusCode() == UNAUTHORIZED) {
                // Perhaps of a restarted worker: the next request sends another token.
                authorization.ifPresent(token ->
                        Optional.ofNullable(tokens.get(member.address())).ifPresent(known -> known.invalidate(token)));
            }
        });
    }

    private LeftOut failed(Member member, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            slowUntil.put(member, nanoTime.getAsLong() + PAUSE.toNanos());
            return new LeftOut(member, "did not respond within %d ms".formatted(timeout.toMillis()));
        }
        return new LeftOut(member, "cannot be reached: " + cause);
    }

    private Returned returned(Member member, HttpResponse<String> response) {
        int status = response.statusCode();
        if (status == 400 || status == 413 || status == 415) {
            return new Refusal(status, response.body());
        }
        try {
            JsonNode answer = json.readTree(response.body());
            return status == 200
                    ? new Cast(ballot(member, answer))
                    : new LeftOut(
                            member,
                            "answered %d: %s"
                                    .formatted(status, answer.path("detail").asString("")));
        } catch (JacksonException | IllegalArgumentException unreadable) {
            return new LeftOut(
                    member,
                    "answered %d with a body that is not a worker's: %s".formatted(status, unreadable.getMessage()));
        }
    }

    private static Ballot ballot(Member member, JsonNode answer) {
        List<Ballot.Answer> answers = new ArrayList<>();
        for (JsonNode sample : answer.required("predictions")) {
            answers.add(answer(sample));
        }
        @Nullable JsonNode accuracy = answer.get("accuracy");
        @Nullable JsonNode accuracyVersion = answer.get("accuracyVersion");
        return new Ballot(
                member,
                answer.required("network").asString(),
                answer.required("generation").asString(),
                answer.required("version").asLong(),
                answers,
                Optional.ofNullable(answer.get("unknown")),
                Optional.ofNullable(accuracy).map(JsonNode::asDouble),
                Optional.ofNullable(accuracyVersion).map(JsonNode::asLong));
    }

    private static Ballot.Answer answer(JsonNode sample) {
        if (sample.has("labels")) {
            return labels(sample.required("labels"));
        }
        return sample.has("value") ? amount(sample) : choice(sample);
    }

    private static Ballot.Labels labels(JsonNode row) {
        Map<String, Double> probabilities = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> label : row.properties()) {
            double probability = label.getValue().required("probability").asDouble();
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException(
                        "the probability %s of the label '%s'".formatted(probability, label.getKey()));
            }
            probabilities.put(label.getKey(), probability);
        }
        if (probabilities.isEmpty()) {
            throw new IllegalArgumentException("labels without one");
        }
        return new Ballot.Labels(probabilities);
    }

    private static Ballot.Choice choice(JsonNode image) {
        double[] probabilities = image.required("probabilities")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        int index = image.required("class").asInt();
        if (index < 0 || index >= probabilities.length) {
            throw new IllegalArgumentException("class %d of %d classes".formatted(index, probabilities.length));
        }
        return new Ballot.Choice(image.required("label").asString(), index, probabilities);
    }

    private static Ballot.Amount amount(JsonNode row) {
        JsonNode value = row.required("value");
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            throw new IllegalArgumentException("the value %s".formatted(value));
        }
        return new Ballot.Amount(Optional.ofNullable(row.get("target")).map(JsonNode::asString), value.asDouble());
    }
}
