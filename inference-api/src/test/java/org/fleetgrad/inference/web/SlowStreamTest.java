package org.fleetgrad.inference.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.following.Follower;
import org.fleetgrad.inference.completion.CompletionReply;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.inference.prediction.RefusalsTest;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.FakeTexts;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.completion.CompletionLimits;
import org.fleetgrad.serving.completion.CompletionRequest;
import org.fleetgrad.serving.completion.CompletionStart.Begun;
import org.fleetgrad.serving.completion.Completions;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/** A stream whose client takes parts only now and then, or is gone. */
class SlowStreamTest {

    private static final int TOKENS = 50;

    private final FakeTexts texts = new FakeTexts();
    private final LiveModel model = texts.model();
    private final Completions completions = new Completions(model, new CompletionLimits(3, 10_000, 10, 1), nanos -> {});
    private final Refusals refusals = new Refusals(
            new Follower(new RefusalsTest.Nowhere(), pulled -> {}, new HeldOutScores(), Duration.ZERO), model);
    private final CompletionStream stream = new CompletionStream(
            new CompletionReply.Head("cmpl-1", 1, "fleetgrad", 7),
            false,
            refusals,
            new RequestRefused(ProblemKind.BUSY, "late"),
            JsonMapper.builder().build());
    private final Client client = new Client();
    private final List<String> ended = new ArrayList<>();

    @AfterEach
    void everythingIsFreed() {
        completions.close();
        model.close();
        assertThat(texts.decoders).hasValue(0);
    }

    /** Takes one write whenever it is asked to. */
    private static final class Client extends ServletOutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private boolean isReady;
        private boolean isGone;

        @Override
        public synchronized boolean isReady() {
            return isReady;
        }

        synchronized void take() {
            isReady = true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            // The test calls it.
        }

        @Override
        public synchronized void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            if (!isReady) {
                throw new IllegalStateException("not ready");
            }
            if (isGone) {
                throw new IOException("gone");
            }
            taken.write(bytes, from, length);
            isReady = false;
        }

        synchronized String text() {
            return taken.toString(StandardCharsets.UTF_8);
        }
    }

    private void open(int tokens) throws IOException {
        model.swapTo(FakeTexts.version(1), FakeTexts.says("a"));
        CompletionRequest request =
                new CompletionRequest(WantedVersion.BY_POLICY, false, "?", tokens, Sampling.GREEDY, 0, List.of());
        Begun begun = (Begun) completions.begin(request, stream);
        MockHttpServletResponse response = new MockHttpServletResponse() {
            @Override
            public ServletOutputStream getOutputStream() {
                return client;
            }
        };
        MockAsyncContext context = new MockAsyncContext(new MockHttpServletRequest(), response) {
            @Override
            public void complete() {
                ended.add("complete");
            }
        };
        stream.open(context, begun.completion());
    }

    @Test
    void shouldComputeToTheEndAndFreeEverythingThoughTheClientTakesNothing() throws IOException {
        open(TOKENS);

        await().until(() -> completions.running() == 0);

        assertThat(client.text()).isEmpty();
        assertThat(completions.tokens()).isEqualTo(TOKENS);
        assertThat(texts.decoders).hasValue(0);
    }

    @Test
    void shouldSendWhatWaitedAsOneChunk() throws IOException {
        open(TOKENS);
        await().until(() -> completions.running() == 0);

        client.take();
        stream.onWritePossible();
        assertThat(client.text())
                .isEqualTo(
                        "data: {\"id\":\"cmpl-1\",\"object\":\"text_completion\",\"created\":1,\"model\":\"fleetgrad\","
                                + "\"version\":1,\"generation\":\"g\",\"seed\":7,\"choices\":[{\"text\":\""
                                + "a".repeat(TOKENS)
                                + "\",\"index\":0,\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n");
        for (int write = 0; write < 4; write++) {
            client.take();
            stream.onWritePossible();
        }

        assertThat(client.text()).contains("\"finish_reason\":\"length\"").endsWith("\n\ndata: [DONE]\n\n");
        assertThat(ended).containsExactly("complete");
    }

    @Test
    void shouldCancelTheCompletionOfAClientThatIsGone() throws IOException {
        texts.turns.drainPermits();
        open(TOKENS);
        client.isGone = true;
        client.take();
        stream.onWritePossible();
        texts.turns.release(2);

        await().until(() -> completions.running() == 0);

        assertThat(completions.tokens()).isLessThan(TOKENS);
        assertThat(ended).containsExactly("complete");
    }
}
