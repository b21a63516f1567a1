package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Float16;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.parameters.SnapshotMemory.NoSnapshotMemoryException;
import org.junit.jupiter.api.Test;

/** Slow readers take no more than their share of the memory; the publisher continues. */
class SnapshotMemoryTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 1000)));

    private final int file = fileBytes();
    private final SnapshotMemory memory = new SnapshotMemory(5L * file, true);
    private final PublishedParameters published = new PublishedParameters(Integer.MAX_VALUE, memory);

    private static int fileBytes() {
        return new SnapshotWriter(Unfrozen.set(LAYOUT), Map.of(), "g", new SnapshotMemory(Long.MAX_VALUE, true))
                .fileBytes();
    }

    private boolean publish(long version) {
        return published.publish(new ParameterVersion("g", version), new float[1000]);
    }

    @Test
    void shouldTurnReadersAwayBeforeThePublisherFindsNoMemory() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        List<ParameterSnapshot> slow = new ArrayList<>();
        assertThat(publish(0)).isTrue();
        for (long version = 1; !published.isAtCapacity(); version++) {
            slow.add(published.hold().orElseThrow());
            assertThat(publish(version)).isTrue();
        }

        assertThat(slow)
                .as("five may be alive, two of them are the publisher's")
                .hasSize(3);
        for (long version = 10; version < 20; version++) {
            assertThat(publish(version)).isTrue();
        }
        assertThat(published.version()).contains(new ParameterVersion("g", 19));
        assertThat(memory.usedBytes()).isEqualTo(4L * file);

        slow.get(0).close();
        assertThat(published.isAtCapacity()).isFalse();
    }

    @Test
    void shouldLetAnotherReaderShareAVersionThatIsReadAlready() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        List<ParameterSnapshot> slow = new ArrayList<>();
        assertThat(publish(0)).isTrue();
        for (long version = 1; version < 4; version++) {
            slow.add(published.hold().orElseThrow());
            assertThat(publish(version)).isTrue();
        }
        assertThat(published.isAtCapacity()).isTrue();

        // It was admitted before the memory was short.
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            assertThat(published.isAtCapacity()).isFalse();
            assertThat(newest.version().version()).isEqualTo(3);
        }
        assertThat(published.isAtCapacity()).isTrue();

        slow.forEach(ParameterSnapshot::close);
        assertThat(published.isAtCapacity()).isFalse();
    }

    @Test
    void shouldSkipAVersionAndServeALaterOneWhenMemoryIsThere() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        List<ParameterSnapshot> slow = new ArrayList<>();
        for (long version = 0; version < 5; version++) {
            assertThat(publish(version)).isTrue();
            slow.add(published.hold().orElseThrow());
        }

        assertThat(publish(5)).isFalse();
        assertThat(publish(6)).isFalse();
        assertThat(published.version()).contains(new ParameterVersion("g", 4));
        assertThat(published.skippedSince()).isPresent();

        slow.get(2).close();
        assertThat(publish(7)).isTrue();
        assertThat(published.version()).contains(new ParameterVersion("g", 7));
        assertThat(published.skippedSince()).isEmpty();
        slow.remove(2);
        slow.forEach(ParameterSnapshot::close);
        assertThat(memory.usedBytes()).isEqualTo(file);
    }

    @Test
    void shouldCountTwinsAndLeaveThePublisherItsMemory() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        assertThat(publish(0)).isTrue();
        try (ParameterSnapshot first = published.hold().orElseThrow()) {
            first.file(new ParameterForm(new Float16(), false));
            assertThat(memory.usedBytes()).isGreaterThan(file).isLessThan(2L * file);

            assertThat(publish(1)).isTrue();
            try (ParameterSnapshot second = published.hold().orElseThrow()) {
                assertThatExceptionOfType(NoSnapshotMemoryException.class)
                        .isThrownBy(() -> second.file(new ParameterForm(new Float16(), false)))
                        .withMessageContaining("of %d".formatted(5 * file));
            }
        }
        assertThat(memory.usedBytes()).isEqualTo(file);
    }

    @Test
    void shouldServeAParameterSetThatIsLargerThanTheMachinesPartForVersions() {
        PublishedParameters tight = new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(file, false));
        tight.begin(Unfrozen.set(LAYOUT), Map.of(), "g");

        assertThat(tight.publish(new ParameterVersion("g", 0), new float[1000])).isTrue();
        assertThat(tight.isAtCapacity()).isFalse();
        try (ParameterSnapshot held = tight.hold().orElseThrow()) {
            assertThat(held.file(new ParameterForm(new Float16(), false)).remaining())
                    .isPositive();
        }
        assertThat(tight.memory().limitBytes()).isEqualTo(4L * file);
    }

    @Test
    void shouldKeepAStatedBound() {
        SnapshotMemory stated = new SnapshotMemory(file, true);
        new PublishedParameters(Integer.MAX_VALUE, stated).begin(Unfrozen.set(LAYOUT), Map.of(), "g");

        assertThat(stated.limitBytes()).isEqualTo(file);
    }
}
