package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal contains the decoded gradients, so that its replay needs no codec. */
class EncodedJournalTest {

    @TempDir
    Path folder;

    @Test
    void shouldComeToTheSameBitsAfterARestartWhenPushesWereEncoded() throws IOException {
        Random random = new Random(5);
        byte[] before;
        Path killed = folder.resolve("killed");
        try (RunningService service = start(folder.resolve("live"))) {
            service.startingAt(1, 2, 3, 4, 5, 6).withWorkers("a");
            long sequence = 0;
            for (int round = 0; round < 5; round++) {
                for (String text : List.of("f16", "bf16", "i8", "topk:0.3", "2bit:0.5", "rows", "f32")) {
                    Map<String, String> metadata =
                            new TreeMap<>(Tensors.metadata("a", sequence + 1, service.generation(), sequence));
                    Encoding encoding = Encodings.parse(text);
                    metadata.put(Encoding.METADATA_KEY, encoding.text());
                    float[] gradient = new float[6];
                    for (int i = 0; i < gradient.length; i++) {
                        gradient[i] = (float) random.nextGaussian();
                    }
                    // The last row of the weight: only one encoding sees it.
                    Arrays.fill(gradient, 4, 6, 0);
                    byte[] body = Tensors.encoded(encoding, metadata, gradient);
                    assertThat(service.send(service.tensors("POST", Routes.PUT_GRADIENT, body))
                                    .statusCode())
                            .isEqualTo(200);
                    sequence++;
                }
            }
            before = service.send(service.get(Routes.GET_PARAMETER)).body();
            // The files while the server still runs are those that a kill would leave.
            copy(folder.resolve("live"), killed);
        }
        try (RunningService again = start(killed)) {
            assertThat(again.version()).isEqualTo(35);
            assertThat(again.send(again.get(Routes.GET_PARAMETER)).body()).isEqualTo(before);
        }
    }

    private static RunningService start(Path location) {
        return RunningService.start(
                "ps.durability.mode=journal", "ps.durability.location=" + location, "ps.optimizer=sgd:momentum=0.9");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
