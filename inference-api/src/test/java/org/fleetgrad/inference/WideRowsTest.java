package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows of three bytes each, of a table of 32,000 values: a request of 200 bytes takes 8 MB. */
class WideRowsTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CLIENTS = 24;
    private static final int COLUMNS = 4_000;
    private static final int ROW_BYTES = COLUMNS * 8 * Float.BYTES;
    private static final long MEMORY = 16 << 20;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ConcurrentLinkedQueue<HttpResponse<byte[]>> refused = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private FakeParameterServer server;
    private RunningService service;

    @BeforeEach
    void start() throws Exception {
        List<TableColumn> columns = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            columns.add(new CategoryColumn("c" + i, List.of("a", "b", "c", "d", "e", "f", "g", "h")));
        }
        server = new FakeParameterServer(0);
        service = RunningService.start("inference.server=" + server.uri(), "inference.batch.queue-memory=16MB");
        ParameterVersion version = new ParameterVersion("g", 1);
        server.publish(
                version, SchemaSets.of("tabular?hidden=4", new TableSchema(columns, new NumberTarget("y", 0, 1))));
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(PATIENCE).until(() -> model.version().isPresent());
    }

    @AfterEach
    void stop() {
        isOver.set(true);
        threads.shutdownNow();
        service.close();
        server.close();
    }

    private HttpRequest rows(int count) {
        String rows = String.join(",", Collections.nCopies(count, "{}"));
        return service.postJson("/predict", "{\"rows\":[%s]}".formatted(rows));
    }

    private static String detail(HttpResponse<byte[]> response) {
        JsonNode problem = JsonMapper.shared().readTree(response.body());
        return problem.get("detail").asString();
    }

    @Test
    void shouldRefuseRowsThatNeverFitBeforeItAllocatesThem() {
        HttpResponse<byte[]> response = CONTRACT.send(rows(200));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(detail(response))
                .isEqualTo(
                        "the 200 samples of the request take %,d bytes of memory; those of all requests may take %,d: send fewer in a request"
                                .formatted(200 * ROW_BYTES, MEMORY));
    }

    @Test
    void shouldTellClientsToRetryWhileTheRowsOfOthersTakeTheMemory() throws Exception {
        HttpRequest request = rows(64);
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(threads.submit(() -> ask(request)));
        }

        await().atMost(PATIENCE).until(() -> !refused.isEmpty());
        isOver.set(true);

        int answered = 0;
        for (Future<Integer> client : clients) {
            answered += client.get();
        }
        assertThat(answered).as("some are answered while others are refused").isPositive();
        for (HttpResponse<byte[]> response : refused) {
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(detail(response))
                    .startsWith("the samples of other requests take ")
                    .endsWith("and those of this one take %,d; together they may take %,d"
                            .formatted(64 * ROW_BYTES, MEMORY));
        }
        SampleMemory memory = service.context().getBean(SampleMemory.class);
        await().atMost(PATIENCE).until(() -> memory.leased() == 0);
    }

    /** Sends requests until it is over, at least once; returns how often it was answered. */
    private int ask(HttpRequest request) {
        int answered = 0;
        do {
            HttpResponse<byte[]> response = CONTRACT.send(request);
            if (response.statusCode() == 200) {
                answered++;
            } else {
                refused.add(response);
            }
        } while (!isOver.get());
        return answered;
    }
}
