package org.fleetgrad.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.ReaderKeys;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.RecordedExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The ensemble over HTTP, with fake workers. */
class EnsembleServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final OpenApiContract CONTRACT = OpenApiContract.load("openapi-worker.yaml");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<FakeWorker> workers = new ArrayList<>();
    private Optional<EnsembleServer> server = Optional.empty();
    private Map<String, String> asked = Map.of();
    private Optional<Credentials> shown = Optional.empty();

    @AfterEach
    void close() {
        server.ifPresent(EnsembleServer::close);
        workers.forEach(FakeWorker::close);
    }

    private void start(Vote vote, FakeWorker... all) throws IOException {
        workers.addAll(Arrays.asList(all));
        StatusReply status = EnsembleMembersTest.listing(
                workers.stream().map(FakeWorker::listed).toArray(StatusReply.Worker[]::new));
        server = Optional.of(new EnsembleServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ReaderKeys("ENSEMBLE_", asked).issuer(Clock.systemUTC()),
                new EnsembleMembers(() -> status, Clock.systemUTC()),
                new MemberRequests(PATIENCE, shown, System::nanoTime),
                new Ensemble(vote)));
    }

    private HttpResponse<String> post() throws IOException, InterruptedException {
        return send(request());
    }

    /** Sends a request, and validates the exchange against the contract. */
    private HttpResponse<String> send(HttpRequest.Builder builder) throws IOException, InterruptedException {
        HttpRequest request = builder.build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        CONTRACT.check(RecordedExchange.of(request, response, response.body().getBytes(StandardCharsets.UTF_8)));
        return response;
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(server.orElseThrow().address().resolve("/predict"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"image\":[7]}"));
    }

    private JsonNode predicted() throws IOException, InterruptedException {
        HttpResponse<String> response = post();
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    private static List<String> names(JsonNode workers) {
        return workers.valueStream()
                .map(worker -> worker.get("worker").asString())
                .toList();
    }

    @Test
    void shouldAnswerByMajorityAndSayWhoDisagreed() throws Exception {
        start(Vote.MAJORITY, new FakeWorker("a", 2, 5), new FakeWorker("b", 2, 7), new FakeWorker("c", 0, 6));

        JsonNode answer = predicted();

        JsonNode image = answer.get("predictions").get(0);
        assertThat(image.get("label").asString()).isEqualTo("class 2");
        assertThat(image.get("class").asInt()).isEqualTo(2);
        assertThat(image.get("disagreed").asInt()).isEqualTo(1);
        assertThat(image.get("probabilities").get(2).asDouble()).isBetween(0.566, 0.567);
        assertThat(answer.get("disagreed").asInt()).isEqualTo(1);
        assertThat(answer.get("version").asLong()).isEqualTo(5);
        assertThat(answer.get("newestVersion").asLong()).isEqualTo(7);
        assertThat(answer.get("generation").asString()).isEqualTo("g");
        assertThat(answer.get("accuracyVersion").asLong()).isEqualTo(7);
        assertThat(names(answer.get("members"))).containsExactly("a", "b", "c");
        assertThat(answer.get("leftOut")).isEmpty();
    }

    private static FakeWorker pricing(String id, long version, double price) throws IOException {
        return new FakeWorker(id, 1, version, "tabular?loss=squared&numbers=3")
                .predicting(
                        "{\"target\":\"price\",\"value\":%s}".formatted(price),
                        ",\"unknown\":[{\"row\":0,\"column\":\"cut\",\"value\":\"Bad\",\"categories\":1,\"known\":[\"Good\"]}]");
    }

    @Test
    void shouldAnswerWithTheMeanOfNumbersAndTheirSpread() throws Exception {
        start(Vote.MAJORITY, pricing("a", 5, 100), pricing("b", 7, 130), pricing("c", 6, 160));
        String rows = "{\"rows\":[{\"carat\":0.4,\"cut\":\"Bad\"}]}";

        HttpResponse<String> response = send(request().POST(HttpRequest.BodyPublishers.ofString(rows)));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode answer = JsonMapper.shared().readTree(response.body());
        JsonNode row = answer.get("predictions").get(0);
        assertThat(row.get("target").asString()).isEqualTo("price");
        assertThat(row.get("value").asDouble()).isCloseTo(130, within(1e-9));
        assertThat(row.get("min").asDouble()).isEqualTo(100);
        assertThat(row.get("max").asDouble()).isEqualTo(160);
        assertThat(row.get("std").asDouble()).isCloseTo(Math.sqrt(600), within(1e-9));
        assertThat(answer.get("vote").asString()).isEqualTo("mean");
        assertThat(answer.has("disagreed")).isFalse();
        assertThat(answer.get("unknown").get(0).get("value").asString()).isEqualTo("Bad");
        assertThat(workers).allSatisfy(worker -> assertThat(worker.bodies()).containsExactly(rows));
    }

    @Test
    void shouldRefuseToCombineNumbersAndClasses() throws Exception {
        start(Vote.MEAN, pricing("a", 5, 100), new FakeWorker("b", 2, 7), pricing("c", 6, 160));

        HttpResponse<String> response = post();

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(JsonMapper.shared().readTree(response.body()).get("detail").asString())
                .isEqualTo("the workers predict different things: a number, the column 'price': a, c; classes: b");
    }

    private static FakeWorker labelling(String id, double toxic, double threat) throws IOException {
        return new FakeWorker(id, 1, 5, "tabular?labels=2&numbers=3")
                .predicting(
                        "{\"labels\":{\"toxic\":{\"probability\":%s,\"yes\":%s},\"threat\":{\"probability\":%s,\"yes\":%s}}}"
                                .formatted(toxic, toxic > 0.5, threat, threat > 0.5),
                        "");
    }

    @Test
    void shouldAnswerWithTheMeanProbabilityOfEachLabel() throws Exception {
        start(Vote.MAJORITY, labelling("a", 0.75, 0.125), labelling("b", 0.25, 0.25), labelling("c", 0.875, 0.375));

        JsonNode answer = predicted();

        JsonNode labels = answer.get("predictions").get(0).get("labels");
        assertThat(labels.propertyNames()).containsExactly("toxic", "threat");
        assertThat(labels.get("toxic").get("probability").asDouble()).isCloseTo(0.625, within(1e-12));
        assertThat(labels.get("toxic").get("yes").asBoolean()).isTrue();
        assertThat(labels.get("toxic").get("disagreed").asInt()).isEqualTo(1);
        assertThat(labels.get("threat").get("probability").asDouble()).isCloseTo(0.25, within(1e-12));
        assertThat(labels.get("threat").get("yes").asBoolean()).isFalse();
        assertThat(labels.get("threat").get("disagreed").asInt()).isZero();
        assertThat(answer.get("vote").asString()).isEqualTo("mean");
        assertThat(answer.get("disagreed").asInt()).isEqualTo(1);
    }

    @Test
    void shouldLeaveOutAWorkerWhoseLabelsAreNone() throws Exception {
        start(
                Vote.MEAN,
                labelling("a", 0.75, 0.125),
                labelling("odd", 0.5, 0.5)
                        .refuse(200, "{\"predictions\":[{\"labels\":{\"toxic\":{\"probability\":1.5}}}]}"));

        assertThat(predicted().get("leftOut").get(0).get("why").asString())
                .isEqualTo("answered 200 with a body that is not a worker's: the probability 1.5 of the label 'toxic'");
    }

    @Test
    void shouldLeaveOutAWorkerWhoseNumberIsNone() throws Exception {
        start(
                Vote.MEAN,
                pricing("a", 5, 100),
                pricing("odd", 5, 3).refuse(200, "{\"predictions\":[{\"value\":\"NaN\"}]}"));

        JsonNode answer = predicted();

        assertThat(answer.get("predictions").get(0).get("std").asDouble()).isZero();
        assertThat(answer.get("leftOut").get(0).get("why").asString())
                .isEqualTo("answered 200 with a body that is not a worker's: the value \"NaN\"");
    }

    @Test
    void shouldLeaveOutAWorkerThatDied() throws Exception {
        FakeWorker dying = new FakeWorker("dying", 1, 5);
        start(Vote.MEAN, new FakeWorker("a", 2, 5), dying, new FakeWorker("z", 2, 5));
        assertThat(names(predicted().get("members"))).containsExactly("a", "dying", "z");

        dying.close();

        for (int i = 0; i < 50; i++) {
            JsonNode answer = predicted();
            assertThat(names(answer.get("members"))).containsExactly("a", "z");
            assertThat(names(answer.get("leftOut"))).containsExactly("dying");
            assertThat(answer.get("leftOut").get(0).get("why").asString()).startsWith("cannot be reached: ");
        }
    }

    @Test
    void shouldLeaveOutAWorkerOfAnotherNetwork() throws Exception {
        start(
                Vote.MAJORITY,
                new FakeWorker("a", 2, 5),
                new FakeWorker("b", 2, 5),
                new FakeWorker("other", 1, 9, "big?classes=3&input=1x1x1"));

        JsonNode answer = predicted();

        assertThat(names(answer.get("members"))).containsExactly("a", "b");
        assertThat(answer.get("leftOut").get(0).get("why").asString())
                .isEqualTo("trains the network big?classes=3&input=1x1x1, not tiny?classes=3&input=1x1x1");
        assertThat(answer.get("network").asString()).isEqualTo("tiny?classes=3&input=1x1x1");
    }

    @Test
    void shouldLeaveOutWhatAnswersOtherwise() throws Exception {
        start(
                Vote.MAJORITY,
                new FakeWorker("a", 2, 5),
                new FakeWorker("busy", 2, 5).refuse(503, "{\"detail\":\"64 requests wait\"}"),
                new FakeWorker("odd", 2, 5).refuse(200, "<html>"),
                new FakeWorker("short", 2, 5).refuse(200, "{\"code\":200}"));

        JsonNode leftOut = predicted().get("leftOut");

        assertThat(names(leftOut)).containsExactly("busy", "odd", "short");
        assertThat(leftOut.get(0).get("why").asString()).isEqualTo("answered 503: 64 requests wait");
        assertThat(leftOut.get(1).get("why").asString())
                .startsWith("answered 200 with a body that is not a worker's: ");
        assertThat(leftOut.get(2).get("why").asString())
                .startsWith("answered 200 with a body that is not a worker's: ");
    }

    @Test
    void shouldPassOnWhatIsWrongWithARequest() throws Exception {
        String problem = """
                {"type":"urn:fleetgrad:problem:malformed","title":"The request is malformed","status":400,"code":400,\
                "detail":"there is no image"}""";
        start(Vote.MAJORITY, new FakeWorker("a", 2, 5).refuse(400, problem));

        HttpResponse<String> response = post();

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).isEqualTo(problem);
    }

    @Test
    void shouldSayWhomItAsks() throws Exception {
        start(Vote.MAJORITY, new FakeWorker("a", 2, 5), new FakeWorker("b", 2, 5));

        HttpResponse<String> status =
                send(HttpRequest.newBuilder(server.orElseThrow().address().resolve("/status")));

        assertThat(status.statusCode()).isEqualTo(200);
        assertThat(names(JsonMapper.shared().readTree(status.body()).get("members")))
                .containsExactly("a", "b");
    }

    @Test
    void shouldNameEverybodyIfNobodyAnswers() throws Exception {
        FakeWorker gone = new FakeWorker("gone", 1, 5);
        start(Vote.MAJORITY, gone);
        gone.close();

        HttpResponse<String> response = post();

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(JsonMapper.shared().readTree(response.body()).get("detail").asString())
                .startsWith("no worker answered: gone at http://127.0.0.1:");
    }

    @Test
    void shouldSayThatThereIsNobodyToAsk() throws Exception {
        start(Vote.MAJORITY);

        assertThat(JsonMapper.shared().readTree(post().body()).get("detail").asString())
                .isEqualTo(
                        "no worker answered: none of the 0 registered workers answers predictions: start workers with --serve");
    }

    @Test
    void shouldShowTheWorkersTheirKeysAndAskItsOwnClientsForOthers() throws Exception {
        asked = Map.of("ENSEMBLE_ACCESS_KEY", "clients", "ENSEMBLE_SECRET_KEY", "secret-of-clients");
        shown = Optional.of(new Credentials("ensemble", "secret-of-workers"));
        start(Vote.MAJORITY, new FakeWorker("a", 2, 5).asking("secret-of-workers"), new FakeWorker("open", 2, 5));

        HttpResponse<String> stranger = post();
        URI address = server.orElseThrow().address();
        String token = new ServiceToken(address, new Credentials("clients", "secret-of-clients"), ClientOptions.DEFAULT)
                .authorization()
                .orElseThrow();
        HttpResponse<String> known = send(request().header("Authorization", token));

        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(stranger.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"fleetgrad\"");
        assertThat(known.statusCode()).as(known.body()).isEqualTo(200);
        assertThat(names(JsonMapper.shared().readTree(known.body()).get("members")))
                .containsExactly("a", "open");
    }

    @Test
    void shouldLeaveOutAWorkerThatRefusesItsKeys() throws Exception {
        shown = Optional.of(new Credentials("ensemble", "secret-of-others"));
        start(Vote.MAJORITY, new FakeWorker("a", 2, 5).asking("secret-of-workers"), new FakeWorker("open", 2, 5));

        JsonNode answer = predicted();

        assertThat(names(answer.get("members"))).containsExactly("open");
        assertThat(names(answer.get("leftOut"))).containsExactly("a");
    }
}
