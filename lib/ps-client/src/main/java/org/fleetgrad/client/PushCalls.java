package org.fleetgrad.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply;

/** The calls about gradients: push, stage, settle. Thread-safe. */
final class PushCalls {

    private final Exchange exchange;
    private final Json json;
    private final PushAnswers answers;
    private final ParameterEncoding pulling;

    /** Sends a request, and retries while the server is unreachable. */
    @FunctionalInterface
    interface Exchange {
        Transport.Response send(String method, String path, Map<String, String> headers, List<ByteBuffer> body)
                throws IOException;
    }

    /** What a gradient is settled as. */
    enum As {
        COUNTED("counted"),
        DROPPED("dropped"),
        ASKED("asked");

        private final String text;

        As(String text) {
            this.text = text;
        }
    }

    PushCalls(Exchange exchange, Json json, PulledAnswers pulled, ParameterEncoding pulling) {
        this.exchange = exchange;
        this.json = json;
        this.answers = new PushAnswers(json, pulled);
        this.pulling = pulling;
    }

    /** Pushes a gradient, which counts if it is accepted. */
    PushResult push(byte[] header, ByteBuffer data, boolean pull) throws IOException {
        return put(pull ? Routes.PUT_GRADIENT + "?pull=true" + encoding() : Routes.PUT_GRADIENT, header, data);
    }

    /** Pushes a gradient, which counts once it is settled. */
    PushResult stage(byte[] header, ByteBuffer data) throws IOException {
        return put(Routes.PUT_GRADIENT + "?stage=true", header, data);
    }

    private PushResult put(String path, byte[] header, ByteBuffer data) throws IOException {
        return read(
                "POST " + path,
                exchange.send(
                        "POST",
                        path,
                        Map.of("Content-Type", HeaderNames.SAFETENSORS),
                        List.of(ByteBuffer.wrap(header), data)));
    }

    /**
     * Settles a gradient, or requests its outcome.
     *
     * @param pull whether to request the newest parameter set in the same round trip
     */
    PushResult settle(String worker, long sequence, As as, boolean pull) throws IOException {
        // The characters of a worker's id need no quoting in a query.
        String path = "%s?worker=%s&sequence=%d&as=%s%s"
                .formatted(Routes.SETTLE_GRADIENT, worker, sequence, as.text, pull ? "&pull=true" + encoding() : "");
        return read("POST " + path, exchange.send("POST", path, Map.of(), List.of()));
    }

    /** Returns the staged gradients of one worker, or of all workers that are gone if {@code worker} is empty. */
    List<StagedGradientsReply.Staged> staged(String worker) throws IOException {
        String path = Routes.STAGED_GRADIENTS + (worker.isEmpty() ? "" : "?worker=" + worker);
        Transport.Response response = exchange.send("GET", path, Map.of("Accept", "application/json"), List.of());
        if (response.status() != 200) {
            throw new ProblemException("GET " + path, json.problem(response));
        }
        return json.read(new CallResponse("GET " + path, response), StagedGradientsReply.class)
                .staged();
    }

    private PushResult read(String call, Transport.Response response) throws IOException {
        return switch (response.status()) {
            case 200, 202 -> answers.taken(new CallResponse(call, response));
            case 409 -> PushAnswers.conflict(json.problem(response));
            case 400, 413, 415, 422 -> new PushResult.Rejected(json.problem(response));
            default -> throw new ProblemException(call, json.problem(response));
        };
    }

    private String encoding() {
        return pulling.isLossless() ? "" : "&encoding=" + pulling.name();
    }
}
