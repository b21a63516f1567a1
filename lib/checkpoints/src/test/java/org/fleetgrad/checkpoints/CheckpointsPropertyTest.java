package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

class CheckpointsPropertyTest {

    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("checkpoints-property");
    }

    @AfterContainer
    static void deleteFolder() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> assertThat(file.toFile().delete()).isTrue());
        }
    }

    @Property(tries = 100)
    void shouldReadWhatWasWritten(
            @ForAll("versions") ParameterVersion version,
            @ForAll("moments") Instant now,
            @ForAll("notes") Map<String, String> notes,
            @ForAll("others") Map<String, byte[]> others,
            @ForAll("values") float[] values)
            throws IOException {
        TensorSet parameters = TensorSet.ofFloats(
                Samples.LAYOUT,
                values,
                Map.of("generation", version.generation(), "version", Long.toString(version.version())));
        List<CheckpointFile> files = new ArrayList<>();
        others.forEach((name, bytes) -> files.add(CheckpointFile.of(name, bytes)));
        files.add(CheckpointFile.of(CheckpointManifest.PARAMETERS, parameters));

        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            CheckpointManifest manifest = checkpoints.write(version, now, notes, files);
            Checkpoint read = checkpoints.read(manifest.number());

            assertThat(read.manifest()).isEqualTo(manifest);
            assertThat(read.manifest().parameterVersion()).isEqualTo(version);
            assertThat(read.manifest().written()).isEqualTo(now);
            assertThat(read.manifest().notes()).containsExactlyEntriesOf(notes);
            assertThat(read.manifest().files()).hasSize(files.size());
            assertThat(read.parameters().layout()).isEqualTo(Samples.LAYOUT);
            assertThat(read.parameters().data()).isEqualTo(parameters.data());
            assertThat(read.parameters().metadata()).isEqualTo(parameters.metadata());
            others.forEach((name, bytes) -> assertThat(read.file(name)).hasValue(bytes));
            assertThat(checkpoints.list().get(0)).isEqualTo(new ListedCheckpoint.Complete(manifest));
            assertThat(checkpoints.retain(2)).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Provide
    Arbitrary<ParameterVersion> versions() {
        return texts().filter(text -> !text.isEmpty())
                .flatMap(generation -> Arbitraries.longs()
                        .between(0, Long.MAX_VALUE)
                        .map(version -> new ParameterVersion(generation, version)));
    }

    @Provide
    Arbitrary<Instant> moments() {
        long farthest = 253402300799L;
        return Arbitraries.longs()
                .between(-farthest, farthest)
                .flatMap(second -> Arbitraries.integers()
                        .between(0, 999_999_999)
                        .map(nano -> Instant.ofEpochSecond(second, nano)));
    }

    @Provide
    Arbitrary<Map<String, String>> notes() {
        return Arbitraries.maps(texts(), texts()).ofMaxSize(5);
    }

    @Provide
    Arbitrary<Map<String, byte[]>> others() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars("._-0")
                .ofMinLength(1)
                .ofMaxLength(100)
                .filter(name -> !name.startsWith("."));
        return Arbitraries.maps(names, Arbitraries.bytes().array(byte[].class)).ofMaxSize(4);
    }

    @Provide
    Arbitrary<float[]> values() {
        return Arbitraries.floats().array(float[].class).ofSize(8);
    }

    /** Any text that UTF-8 can encode. */
    private static Arbitrary<String> texts() {
        return Arbitraries.strings()
                .all()
                .ofMaxLength(10)
                .map(text -> text.codePoints()
                        .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
    }
}
