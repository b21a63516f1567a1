package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Computes from the acknowledgements the state that the server must have: every version once, the same number of
 * samples, and the same bits. Call it only while every push is answered.
 */
final class Oracle {

    private final TrainingSetup setup;
    private final Acknowledgements acknowledgements;
    private final Reference reference;
    private final Tally tally;
    private long gradients;
    private long samples;
    private String generation = "";

    /**
     * A served parameter set.
     *
     * @param bytes the whole body
     */
    record Served(ParameterVersion version, String etag, byte[] bytes, float[] values) {

        static Served pull(ServerUnderTest server) throws IOException, InterruptedException {
            HttpResponse<byte[]> answer = server.direct().get("/getParameter");
            if (answer.statusCode() != 200) {
                throw new IOException("a pull was answered %d: %s"
                        .formatted(
                                answer.statusCode(),
                                new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8)));
            }
            try {
                TensorSet tensors = Safetensors.decode(ByteBuffer.wrap(answer.body()));
                return new Served(
                        ParameterVersion.of(tensors.metadata()).orElseThrow(),
                        answer.headers().firstValue("ETag").orElse(""),
                        answer.body(),
                        tensors.toFloats(Gradients.LAYOUT));
            } catch (SafetensorsException malformed) {
                throw new IOException(malformed);
            }
        }
    }

    Oracle(TrainingSetup setup, Gradients drawn, Acknowledgements acknowledgements, Tally tally) {
        this.setup = setup;
        this.acknowledgements = acknowledgements;
        this.reference = new Reference(setup, drawn);
        this.tally = tally;
    }

    /**
     * Compares the server with the reference; returns the served parameters, or reports the difference to the tally.
     */
    Served check(ServerUnderTest server, String when) throws IOException, InterruptedException {
        StatusReply status;
        Served served;
        // With short leases a barrier may shrink between two requests.
        do {
            status = server.client().status();
            served = Served.pull(server);
        } while (status.version() != served.version().version());
        checkGeneration(served, when);
        checkVersions(served.version().version(), status, when);
        if (tally.failures().isEmpty()) {
            checkBits(served, when);
        }
        if (!tally.failures().isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), tally.failures()));
        }
        return served;
    }

    private void checkGeneration(Served served, String when) {
        if (generation.isEmpty()) {
            generation = served.version().generation();
        }
        if (!served.version().generation().equals(generation)) {
            tally.failed("%s the generation is %s, it was %s"
                    .formatted(when, served.version().generation(), generation));
        }
        if (!served.etag().equals(served.version().etag())) {
            tally.failed("%s the ETag is %s of version %s".formatted(when, served.etag(), served.version()));
        }
    }

    private void checkVersions(long version, StatusReply status, String when) {
        NavigableMap<Long, List<Acknowledgement>> steps = acknowledgements.bySteps();
        steps.tailMap(version, false).forEach((step, taken) -> {
            long notWaiting = taken.stream()
                    .filter(each -> each.isApplied() || each.version() != version)
                    .count();
            if (notWaiting > 0) {
                tally.lost(notWaiting, "%s the version is %d, acknowledged were %s".formatted(when, version, taken));
            }
        });
        for (long step = reference.version() + 1; step <= version; step++) {
            List<Acknowledgement> taken = steps.getOrDefault(step, List.of());
            if (taken.isEmpty()) {
                tally.doubled(1, "%s version %d is of no gradient that was acknowledged".formatted(when, step));
            } else if (!setup.isGrouped() && taken.size() > 1) {
                tally.lost(taken.size() - 1L, "%s version %d is of one gradient of %s".formatted(when, step, taken));
            } else if (isAheadOf(taken, step)) {
                tally.failed("%s version %d is of gradients on later ones: %s".formatted(when, step, taken));
                return;
            } else {
                reference.step(taken);
                gradients += taken.size();
                samples += taken.stream().mapToLong(Acknowledgement::samples).sum();
            }
        }
        long until = steps.headMap(version, true).values().stream()
                .mapToLong(List::size)
                .sum();
        if (until > gradients) {
            tally.lost(
                    until - gradients,
                    "%s %d gradients were acknowledged for steps up to %d, of which %d were there when these were made"
                            .formatted(when, until, version, gradients));
        }
        if (status.samples() > samples) {
            tally.doubled(
                    1,
                    "%s the server counts %d samples, acknowledged were %d".formatted(when, status.samples(), samples));
        } else if (status.samples() < samples) {
            tally.lost(
                    1,
                    "%s the server counts %d samples, acknowledged were %d".formatted(when, status.samples(), samples));
        }
    }

    private static boolean isAheadOf(List<Acknowledgement> taken, long step) {
        return taken.stream().anyMatch(each -> each.baseVersion() >= step);
    }

    private void checkBits(Served served, String when) {
        int difference = Arrays.mismatch(served.values(), reference.parameters());
        if (difference >= 0) {
            tally.failed("%s value %d of %d at version %s is %s, by the reference %s"
                    .formatted(
                            when,
                            difference,
                            served.values().length,
                            served.version(),
                            served.values()[difference],
                            reference.parameters()[difference]));
        }
    }
}
