package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LongPollContractTest {

    private static final float[] GRADIENT = {1, 1, 1, 1, 1, 1};
    private static final RunningService SERVICE = RunningService.start("ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a");
    private static long sequence;

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    void shouldAnswerWhenAPushLands() {
        long version = SERVICE.version();
        CompletableFuture<HttpResponse<byte[]>> waiting = poll("?after=%d&waitMs=60000".formatted(version), null);

        push(version);

        HttpResponse<byte[]> answer = waiting.join();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValueAsLong("X-Version")).hasValue(version + 1);
    }

    @Test
    void shouldWaitOnThroughVersionsThatAreNotNewEnough() {
        long version = SERVICE.version();
        CompletableFuture<HttpResponse<byte[]>> waiting = poll("?after=%d&waitMs=60000".formatted(version + 2), null);

        push(version);
        push(version + 1);
        push(version + 2);

        assertThat(waiting.join().headers().firstValueAsLong("X-Version")).hasValue(version + 3);
    }

    @Test
    void shouldWaitForWhatIsAfterTheNumberThoughTheTagIsOlder() {
        long version = SERVICE.version();
        String older = tag(SERVICE.generation(), version);
        push(version);

        HttpResponse<byte[]> answer =
                poll("?after=%d&waitMs=50".formatted(version + 1), older).join();

        assertThat(answer.statusCode()).isEqualTo(304);
    }

    @Test
    void shouldAnswerAtOnceWhenThereIsNewsAlready() {
        long version = SERVICE.version();
        push(version);

        assertThat(poll("?after=%d&waitMs=60000".formatted(version), null)
                        .join()
                        .statusCode())
                .isEqualTo(200);
        assertThat(poll("?waitMs=60000", tag(SERVICE.generation(), version))
                        .join()
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldAnswerAtOnceWhenTheClientComesFromAnotherHistory() {
        HttpResponse<byte[]> answer =
                poll("?after=1000000&waitMs=60000", tag("other", 1_000_000)).join();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("X-Generation")).contains(SERVICE.generation());
    }

    @Test
    void shouldSayThatNothingCameWhenTheTimeIsOver() {
        long version = SERVICE.version();

        HttpResponse<byte[]> byNumber =
                poll("?after=%d&waitMs=50".formatted(version), null).join();
        HttpResponse<byte[]> byTag =
                poll("?waitMs=50", tag(SERVICE.generation(), version)).join();

        assertThat(byNumber.statusCode()).isEqualTo(304);
        assertThat(byNumber.body()).isEmpty();
        assertThat(byTag.statusCode()).isEqualTo(304);
        PublishedParameters published = SERVICE.bean(PublishedParameters.class);
        Awaitility.await("nothing is kept of waits that are over").until(() -> published.waiting() == 0);
    }

    @Test
    void shouldNotWaitWithoutBeingAsked() {
        assertThat(poll("?after=%d".formatted(SERVICE.version()), null).join().statusCode())
                .isEqualTo(304);
    }

    @Test
    void shouldEndTheWaitWhenTheServiceStops() {
        // A shutdown waits up to an hour for open requests, and a poll that nothing ends lasts longer than this test
        // may.
        RunningService stopping = RunningService.start("spring.lifecycle.timeout-per-shutdown-phase=1h")
                .startingAt(0, 0, 0, 0, 0, 0);
        HttpRequest.Builder request = stopping.get(Routes.GET_PARAMETER + "?after=0&waitMs=60000");
        CompletableFuture<HttpResponse<byte[]>> waiting = CompletableFuture.supplyAsync(() -> stopping.send(request));
        PublishedParameters published = stopping.bean(PublishedParameters.class);
        Awaitility.await().until(() -> published.waiting() == 1);

        stopping.close();

        assertThat(waiting.join().statusCode()).isEqualTo(304);
    }

    private static CompletableFuture<HttpResponse<byte[]>> poll(String query, @Nullable String ifNoneMatch) {
        HttpRequest.Builder request = SERVICE.get(Routes.GET_PARAMETER + query);
        if (ifNoneMatch != null) {
            request.header("If-None-Match", ifNoneMatch);
        }
        return CompletableFuture.supplyAsync(() -> SERVICE.send(request));
    }

    private static void push(long baseVersion) {
        assertThat(SERVICE.send(SERVICE.push("a", ++sequence, baseVersion, GRADIENT))
                        .statusCode())
                .isEqualTo(200);
    }

    private static String tag(String generation, long version) {
        return "\"%s-%d\"".formatted(generation, version);
    }
}
