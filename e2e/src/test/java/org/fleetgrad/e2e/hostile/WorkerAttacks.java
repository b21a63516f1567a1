package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Workers that lie: with tokens, clocks and numbers that are not theirs or not any. Each request must be refused. */
final class WorkerAttacks {

    private static final String NAME = "liar";
    private static final String LARGEST = Long.toString(Long.MAX_VALUE);
    /** The place in the parameters at which the replayed gradients count. */
    private static final int REPLAYED_AT = 100;

    private static final int REPLAYED = 5;
    private static final int REPLAYS = 40;

    private WorkerAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("foreign, forged and expired tokens", WorkerAttacks::tokens),
                new Attack("a worker in another's name", WorkerAttacks::otherName),
                new Attack("replayed gradients", WorkerAttacks::replays),
                new Attack("huge numbers in gradients", WorkerAttacks::gradients),
                new Attack("values that are no numbers", WorkerAttacks::values),
                new Attack("huge numbers and wrong clocks in JSON and queries", WorkerAttacks::json));
    }

    private static long tokens(Site site) throws InterruptedException {
        byte[] own = "an attacker's own key of 32 bytes".getBytes(StandardCharsets.UTF_8);
        String operator = "{\"role\":\"operator\",\"exp\":4102444800}";
        List<String> tokens = new ArrayList<>(List.of(
                Jwt.sign(own, Jwt.HS256, operator),
                Jwt.sign(own, "{\"alg\":\"none\"}", operator).replaceAll("[^.]*$", ""),
                Jwt.sign(Site.TOKEN_KEY, "{\"alg\":\"none\"}", operator),
                Jwt.sign(Site.TOKEN_KEY, "{\"alg\":\"HS512\"}", operator),
                Jwt.sign(Site.TOKEN_KEY, Jwt.HS256, "{\"role\":\"operator\",\"exp\":1}"),
                Jwt.sign(Site.TOKEN_KEY, Jwt.HS256, "{\"role\":\"operator\",\"exp\":-1}"),
                Jwt.sign(Site.TOKEN_KEY, Jwt.HS256, "{\"role\":\"operator\"}"),
                Jwt.sign(Site.TOKEN_KEY, Jwt.HS256, "{\"role\":\"root\",\"exp\":4102444800}"),
                Jwt.sign(Site.TOKEN_KEY, Jwt.HS256, "[]"),
                "..",
                "a".repeat(4000),
                "null"));
        long refused = 0;
        for (String token : tokens) {
            for (URI path : List.of(
                    site.server().resolve("/status"),
                    site.server().resolve("/getParameter"),
                    site.answers().resolve("/status"))) {
                refused += refuse(site, HttpRequest.newBuilder(path).header("Authorization", "Bearer " + token), token);
            }
        }
        // The largest time that the claim can state must not make the service fail.
        int status = site.status(HttpRequest.newBuilder(site.server().resolve("/status"))
                .header(
                        "Authorization",
                        "Bearer "
                                + Jwt.sign(
                                        Site.TOKEN_KEY, Jwt.HS256, "{\"role\":\"reader\",\"exp\":" + LARGEST + "}")));
        if (status != 200 && status != 401) {
            throw new AssertionError("a token that expires in %s s was answered %d".formatted(LARGEST, status));
        }
        return refused;
    }

    private static long otherName(Site site) throws IOException, InterruptedException {
        Registered liar = register(site, NAME);
        long refused = 0;
        for (int i = 0; i < HonestWorkers.COUNT; i++) {
            String victim = HonestWorkers.name(i);
            Map<String, String> metadata = liar.metadata(1 << 20);
            metadata.put("worker", victim);
            refused += refuse(site, liar.push(metadata, HonestWorkers.values()), "a gradient in the name of " + victim);
            for (String path : List.of("/unregisterWorker", "/nextShard", "/passStep", "/completeShard")) {
                String body = "{\"%s\":\"%s\",\"generation\":\"%s\",\"version\":0,\"epoch\":0,\"shard\":0}"
                        .formatted(path.startsWith("/un") ? "id" : "worker", victim, liar.reply.generation());
                refused += refuse(site, liar.json(path, body), path + " in the name of " + victim);
            }
        }
        return refused;
    }

    /** Gradients that count once, however often they come, and in whatever order. */
    private static long replays(Site site) throws IOException, InterruptedException {
        Registered replayer = register(site, "replayer");
        float[] gradient = HonestWorkers.values();
        gradient[REPLAYED_AT] = 1;
        List<HttpRequest> pushes = new ArrayList<>();
        for (int sequence = 1; sequence <= REPLAYED; sequence++) {
            HttpRequest.Builder push = replayer.push(replayer.metadata(sequence), gradient);
            if (site.status(push) != 200) {
                throw new AssertionError("an honest gradient was refused");
            }
            pushes.add(push.build());
        }
        long refused = RequestAttacks.refused(
                REPLAYED * REPLAYS, i -> HttpRequest.newBuilder(pushes.get(i % REPLAYED), (name, value) -> true), site);
        float served = ((Pulled) replayer.client.pull()).parameters().toFloats(HonestWorkers.LAYOUT)[REPLAYED_AT];
        if (served != -REPLAYED * HonestWorkers.LEARNING_RATE) {
            throw new AssertionError("%d gradients of 1 made %s of 0".formatted(REPLAYED, served));
        }
        return refused;
    }

    private static long gradients(Site site) throws IOException, InterruptedException {
        Registered liar = register(site, "numbers");
        Map<String, List<String>> wrong = Map.of(
                "samples", List.of(LARGEST, "-1", "0", "1e9", "1000000001", "9".repeat(100), ""),
                "sequence", List.of(LARGEST, "0", "-1", "9007199254740993", "1.0", "9".repeat(1000)),
                "baseVersion", List.of(LARGEST, "-1", "9".repeat(30)),
                "loss", List.of("NaN", "Infinity", "1e999", "", "x"),
                "cursor", List.of(LARGEST + "/0/1", "4611686018427387904/0/0", "0/0/" + LARGEST, "0/-1/0", "0/0", "//"),
                "encoding", List.of("topk:1e-300", "2bit:NaN", "i8:0", "i8:99999999999", "gzip", "topk:2", "rows:1"),
                "generation", List.of("", "x".repeat(100_000)),
                "worker", List.of("", "x".repeat(200), "nobody", "\u0000"));
        long refused = 0;
        for (Map.Entry<String, List<String>> entry : wrong.entrySet()) {
            for (String value : entry.getValue()) {
                Map<String, String> metadata = liar.metadata(7);
                metadata.put(entry.getKey(), value);
                refused += refuse(
                        site,
                        liar.push(metadata, HonestWorkers.values()),
                        entry.getKey() + " of " + value.substring(0, Math.min(40, value.length())));
            }
        }
        return refused;
    }

    private static long values(Site site) throws IOException, InterruptedException {
        Registered liar = register(site, "infinite");
        long refused = 0;
        for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (int place : new int[] {0, 30_000, HonestWorkers.values().length - 1}) {
                float[] gradient = HonestWorkers.values();
                gradient[place] = value;
                refused += refuse(site, liar.push(liar.metadata(1), gradient), "a gradient with " + value);
            }
        }
        return refused;
    }

    private static long json(Site site) throws IOException, InterruptedException {
        Registered liar = register(site, "clocks");
        String keys = "\"accessKey\":\"worker\",\"secretKey\":\"%s\"".formatted(Site.secret("worker"));
        long refused = 0;
        for (String deadline : List.of("0", "1", "-" + LARGEST, "1e3", "\"tomorrow\"", "9".repeat(400))) {
            refused += refuse(
                    site,
                    liar.json("/registerWorker", "{\"id\":\"late\",\"deadline\":%s,%s}".formatted(deadline, keys)),
                    "a deadline of " + deadline);
        }
        for (String epoch : List.of("4611686018427387904", LARGEST, "-1", "1e400")) {
            refused += refuse(
                    site,
                    liar.json("/completeShard", "{\"worker\":\"clocks\",\"epoch\":%s,\"shard\":0}".formatted(epoch)),
                    "an epoch of " + epoch);
        }
        for (String query : List.of(
                "waitMs=" + LARGEST,
                "waitMs=60001&after=1",
                "waitMs=-1",
                "after=-1",
                "after=1e3",
                "after=" + "9".repeat(50))) {
            refused += refuse(
                    site,
                    HttpRequest.newBuilder(site.server().resolve("/getParameter?" + query))
                            .header("Authorization", liar.authorization),
                    query);
        }
        return refused;
    }

    private static long refuse(Site site, HttpRequest.Builder request, String what) throws InterruptedException {
        int status = site.status(request);
        if (status < 400 || status >= 500) {
            throw new AssertionError("%s was answered %d".formatted(what, status));
        }
        return 1;
    }

    private static Registered register(Site site, String name) throws IOException {
        PsClient client =
                new PsClient(site.server(), ClientOptions.DEFAULT).withCredentials(Site.credentials("worker"));
        RegisterWorkerReply reply = client.register(new RegisterWorkerRequest(name, "", null, "none"));
        return new Registered(site, client.as(name), name, reply, "Bearer " + reply.token());
    }

    /** A worker with a token of its own. */
    private record Registered(
            Site site, PsClient client, String name, RegisterWorkerReply reply, String authorization) {

        Map<String, String> metadata(long sequence) {
            return new TreeMap<>(
                    new GradientMetadata(name, sequence, reply.generation(), reply.version(), 1, 1.0).toMap());
        }

        HttpRequest.Builder push(Map<String, String> metadata, float[] gradient) {
            ByteBuffer body = Safetensors.encode(TensorSet.ofFloats(HonestWorkers.LAYOUT, gradient, metadata));
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            return HttpRequest.newBuilder(site.server().resolve("/putGradient"))
                    .header("Authorization", authorization)
                    .header("Content-Type", "application/vnd.safetensors")
                    .POST(BodyPublishers.ofByteArray(bytes));
        }

        HttpRequest.Builder json(String path, String body) {
            return HttpRequest.newBuilder(site.server().resolve(path))
                    .header("Authorization", authorization)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body));
        }
    }
}
