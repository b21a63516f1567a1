package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/** Connections that hold what others need: threads, memory, and time. */
final class ConnectionAttacks {

    private static final int STRANGERS = 250;
    private static final int READERS = 300;
    private static final int SMALL_BUFFER = 2048;
    private static final int PIECES = 10;
    private static final long PIECE_MS = 400;
    private static final String HOST = "Host: 127.0.0.1\r\n";

    private ConnectionAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("slowloris at ps-service", site -> slowloris(site, site.server())),
                new Attack("slowloris at inference-api", site -> slowloris(site, site.answers())),
                new Attack(
                        "half bodies of strangers at ps-service",
                        site -> halfBodies(site, site.server(), "/registerWorker", "")),
                new Attack(
                        "half bodies of strangers at inference-api",
                        site -> halfBodies(site, site.answers(), "/issueToken", "")),
                new Attack("half bodies of readers at inference-api", ConnectionAttacks::halfPredictions),
                new Attack("half gradients of workers", ConnectionAttacks::halfGradients),
                new Attack(
                        "unread bodies of strangers at ps-service",
                        site -> unread(site, site.server(), "/putGradient")),
                new Attack(
                        "unread bodies of strangers at inference-api",
                        site -> unread(site, site.answers(), "/predict")),
                new Attack("slow readers of parameters", ConnectionAttacks::slowReaders),
                new Attack("idle polls", ConnectionAttacks::idlePolls),
                new Attack("slow readers, unread bodies and idle polls at once", ConnectionAttacks::allAtOnce),
                new Attack("watchers of events who do not read", ConnectionAttacks::deafWatchers));
    }

    private static long slowloris(Site site, URI service) throws InterruptedException {
        try (Crowd crowd = Crowd.of(STRANGERS, service, wire -> wire.send("GET /status HTTP/1.1\r\n" + HOST))) {
            drip(site, crowd, "X-A: b\r\n");
            return crowd.refused();
        }
    }

    private static String head(String method, String path, String authorization, String type, long length) {
        String token = authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
        return "%s %s HTTP/1.1\r\n%s%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(method, path, HOST, token, type, length);
    }

    private static long halfBodies(Site site, URI service, String path, String authorization)
            throws InterruptedException {
        String head = head("POST", path, authorization, "application/json", 60_000);
        try (Crowd crowd = Crowd.of(STRANGERS, service, wire -> wire.send(head + "{\"id\":\""))) {
            drip(site, crowd, "x");
            return crowd.refused();
        }
    }

    private static long halfPredictions(Site site) throws IOException, InterruptedException {
        return halfBodies(site, site.answers(), "/predict", site.authorization("reader"));
    }

    /** Gradients whose header came, and whose values come a byte at a time. */
    private static long halfGradients(Site site) throws IOException, InterruptedException {
        String head =
                head("POST", "/putGradient", site.authorization("worker"), "application/vnd.safetensors", 200_000_000L);
        try (Crowd crowd = Crowd.of(STRANGERS, site.server(), wire -> wire.send(head))) {
            drip(site, crowd, "\0");
            return crowd.refused();
        }
    }

    /** Bodies that nobody needs to read to refuse the request, in pieces, so that they never end. */
    private static long unread(Site site, URI service, String path) throws InterruptedException {
        String head = head("POST", path, "", "application/vnd.safetensors", 1_000_000);
        try (Crowd crowd = Crowd.of(STRANGERS, service, wire -> wire.send(head).send(new byte[10_000]))) {
            drip(site, crowd, "x");
            return crowd.refused();
        }
    }

    private static String pull(Site site, String query) throws IOException {
        return "GET /getParameter%s HTTP/1.1\r\n%sAuthorization: %s\r\n\r\n"
                .formatted(query, HOST, site.authorization("reader"));
    }

    private static Crowd readers(Site site) throws IOException {
        String pull = pull(site, "");
        return Crowd.of(READERS, site.server(), SMALL_BUFFER, wire -> wire.send(pull));
    }

    private static Crowd polls(Site site) throws IOException {
        String pull = pull(site, "?after=1000000000&waitMs=60000");
        return Crowd.of(READERS, site.server(), wire -> wire.send(pull));
    }

    private static long slowReaders(Site site) throws IOException, InterruptedException {
        try (Crowd crowd = readers(site)) {
            drip(site, crowd, "");
            return crowd.refused();
        }
    }

    private static long idlePolls(Site site) throws IOException, InterruptedException {
        try (Crowd crowd = polls(site)) {
            drip(site, crowd, "");
            return crowd.refused();
        }
    }

    private static long allAtOnce(Site site) throws IOException, InterruptedException {
        String head = head("POST", "/putGradient", "", "application/vnd.safetensors", 1_000_000);
        try (Crowd readers = readers(site);
                Crowd polls = polls(site);
                Crowd strangers = Crowd.of(
                        STRANGERS, site.server(), wire -> wire.send(head).send(new byte[10_000]))) {
            drip(site, strangers, "x");
            return readers.refused() + polls.refused() + strangers.refused();
        }
    }

    private static long deafWatchers(Site site) throws IOException, InterruptedException {
        String watch =
                "GET /events HTTP/1.1\r\n%sAuthorization: %s\r\n\r\n".formatted(HOST, site.authorization("reader"));
        try (Crowd crowd = Crowd.of(READERS, site.server(), SMALL_BUFFER, wire -> wire.send(watch))) {
            drip(site, crowd, "");
            return crowd.refused();
        }
    }

    private static void drip(Site site, Crowd crowd, String piece) throws InterruptedException {
        for (int i = 0; i < PIECES; i++) {
            crowd.drip(piece);
            site.workers().goOnFor(PIECE_MS);
        }
    }
}
