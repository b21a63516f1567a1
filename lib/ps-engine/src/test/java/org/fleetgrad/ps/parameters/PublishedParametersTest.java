package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class PublishedParametersTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("b", 2), TensorSpec.f32("a.weight", 1, 2)));

    private final PublishedParameters published =
            new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(Long.MAX_VALUE, true));

    @Test
    void shouldHaveNothingBeforeTheFirstVersion() {
        assertThat(published.hold()).isEmpty();
        assertThat(published.version()).isEmpty();
        assertThat(published.layout()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> published.publish(new ParameterVersion("g", 0), new float[4]))
                .withMessage("version g-0 was published before a history began");
    }

    @Test
    void shouldServeAWholeSafetensorsFile() throws SafetensorsException {
        published.begin(Unfrozen.set(LAYOUT), Map.of("network", "lenet5", "version", "of somebody else"), "g");
        publish(7, 1, 2, 3, 4);

        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            TensorSet file = Safetensors.decode(newest.file(ParameterForm.WHOLE));

            assertThat(newest.version()).isEqualTo(new ParameterVersion("g", 7));
            assertThat(file.layout()).isEqualTo(LAYOUT).isEqualTo(newest.layout());
            assertThat(file.toFloats(LAYOUT)).containsExactly(1, 2, 3, 4);
            assertThat(file.metadata())
                    .containsOnly(
                            Map.entry("network", "lenet5"),
                            Map.entry("format", "pt"),
                            Map.entry("generation", "g"),
                            Map.entry("version", "7"));
        }
    }

    @Test
    void shouldHaveOneSizeForEveryVersion() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        publish(0, 0, 0, 0, 0);
        int size = sizeOfNewest();
        publish(Long.MAX_VALUE, 0, 0, 0, 0);

        assertThat(sizeOfNewest()).isEqualTo(size);
    }

    @Test
    void shouldNotChangeAVersionThatIsHeld() throws SafetensorsException {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        publish(1, 1, 1, 1, 1);
        try (ParameterSnapshot held = published.hold().orElseThrow()) {
            for (int version = 2; version < 20; version++) {
                publish(version, version, version, version, version);
            }

            assertThat(Safetensors.decode(held.file(ParameterForm.WHOLE)).toFloats(LAYOUT))
                    .containsOnly(1);
            assertThat(published.version()).contains(new ParameterVersion("g", 19));
        }
    }

    @Test
    void shouldWriteIntoABufferThatNobodyHoldsAnyMore() {
        SnapshotWriter writer =
                new SnapshotWriter(Unfrozen.set(LAYOUT), Map.of(), "g", new SnapshotMemory(Long.MAX_VALUE, true));
        ParameterSnapshot first = writer.write(new ParameterVersion("g", 1), new float[] {1, 1, 1, 1})
                .orElseThrow();
        ByteBuffer view = first.file(ParameterForm.WHOLE);
        ParameterSnapshot second = writer.write(new ParameterVersion("g", 2), new float[] {2, 2, 2, 2})
                .orElseThrow();
        byte[] whileHeld = bytes(view);

        first.close();
        ParameterSnapshot third = writer.write(new ParameterVersion("g", 3), new float[] {3, 3, 3, 3})
                .orElseThrow();

        // Seen through a view that is no longer held: the third version has taken the buffer of the first.
        assertThat(whileHeld).isNotEqualTo(bytes(second.file(ParameterForm.WHOLE)));
        assertThat(bytes(view))
                .isEqualTo(bytes(third.file(ParameterForm.WHOLE)))
                .isNotEqualTo(whileHeld);
    }

    @Test
    void shouldRefuseAReleaseTooMany() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        publish(3, 0, 0, 0, 0);
        ParameterSnapshot held = published.hold().orElseThrow();
        publish(4, 0, 0, 0, 0);
        held.close();

        assertThat(held.tryHold()).as("what is gone is never held again").isFalse();
        assertThatIllegalStateException()
                .isThrownBy(held::close)
                .withMessage("snapshot g-3 was released more often than it was held");
    }

    @Test
    void shouldSayWhenTheNextVersionComes() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        CompletableFuture<Void> first = published.nextChange(-1);
        assertThat(first).isNotDone();

        publish(0, 0, 0, 0, 0);

        assertThat(first).isCompleted();
        assertThat(published.waiting()).isZero();
        CompletableFuture<Void> second = published.nextChange(-1);
        assertThat(second).isNotDone();
        assertThat(published.waiting()).isEqualTo(1);
        second.complete(null);
        assertThat(published.waiting())
                .as("nothing is kept of a wait that is over")
                .isZero();
    }

    @Test
    void shouldNotWakeThoseThatWaitForALaterVersion() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        publish(4, 0, 0, 0, 0);
        CompletableFuture<Void> later = published.nextChange(5);

        publish(5, 0, 0, 0, 0);

        assertThat(later).isNotDone();
        publish(6, 0, 0, 0, 0);
        assertThat(later).isCompleted();
    }

    @Test
    void shouldWakeThoseThatWaitForALaterVersionWhenAnotherHistoryBegins() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        publish(4, 0, 0, 0, 0);
        CompletableFuture<Void> later = published.nextChange(Long.MAX_VALUE);

        published.begin(Unfrozen.set(LAYOUT), Map.of(), "h");
        published.publish(new ParameterVersion("h", 0), new float[4]);

        assertThat(later).isCompleted();
    }

    @Test
    void shouldWakeEverybodyWhenAnotherConditionChanged() {
        CompletableFuture<Void> later = published.nextChange(Long.MAX_VALUE);

        published.wake();

        assertThat(later).isCompleted();
    }

    @Test
    void shouldReleaseWaitingClientsAtTheEnd() {
        CompletableFuture<Void> change = published.nextChange(-1);
        assertThat(published.isOver()).isFalse();

        published.end();

        assertThat(change).isCompleted();
        assertThat(published.isOver()).isTrue();
    }

    private void publish(long version, float... values) {
        published.publish(new ParameterVersion("g", version), values);
    }

    private static byte[] bytes(ByteBuffer view) {
        byte[] bytes = new byte[view.remaining()];
        view.duplicate().get(bytes);
        return bytes;
    }

    private int sizeOfNewest() {
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            return newest.file(ParameterForm.WHOLE).remaining();
        }
    }
}
