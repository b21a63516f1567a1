package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;

class JournalCodecPropertyTest {

    /** All characters of Java except lone surrogates, which requests refuse. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().all().ofMaxLength(40).map(JournalCodecPropertyTest::wellFormed);
    }

    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    @Provide
    Arbitrary<JournalEntry> entries() {
        Arbitrary<String> ids = texts().filter(text -> !text.isEmpty());
        Arbitrary<GradientMetadata> metadata = Combinators.combine(
                        ids,
                        Arbitraries.longs().between(1, GradientMetadata.MAX_SEQUENCE),
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.longs().between(1, WorkPlan.MAX_SAMPLES),
                        Arbitraries.doubles(),
                        Arbitraries.doubles()
                                .between(0, GradientMetadata.MAX_LOSS_WEIGHT)
                                .optional())
                .as((worker, sequence, base, samples, loss, weight) -> new GradientMetadata(
                        worker,
                        sequence,
                        "g1",
                        base,
                        samples,
                        loss,
                        Optional.empty(),
                        OptionalLong.empty(),
                        weight.map(OptionalDouble::of).orElseGet(OptionalDouble::empty)));
        Arbitrary<Cursor> cursors = Combinators.combine(
                        Arbitraries.longs().between(0, WorkPlan.MAX_EPOCHS),
                        Arbitraries.integers().between(0, WorkPlan.MAX_SHARDS - 1),
                        Arbitraries.longs().between(0, WorkPlan.MAX_SAMPLES))
                .as(Cursor::new);
        Arbitrary<GradientMetadata> placed = Combinators.combine(metadata, cursors.optional())
                .as((gradient, cursor) ->
                        gradient.reaching(cursor.filter(reached -> reached.sample() >= gradient.samples())));
        Arbitrary<Gradient> gradients = Combinators.combine(
                        placed, Arbitraries.floats().array(float[].class).ofMaxSize(30))
                .as(Gradient::new);
        Arbitrary<JournalEntry> taken =
                Combinators.combine(gradients, Arbitraries.of(true, false)).as(JournalEntry.Taken::new);
        Arbitrary<JournalEntry> staged = gradients.map(JournalEntry.Staged::new);
        Arbitrary<Long> sequences = Arbitraries.longs().between(1, GradientMetadata.MAX_SEQUENCE);
        Arbitrary<JournalEntry> committed =
                Combinators.combine(ids, sequences, Arbitraries.of(true, false)).as(JournalEntry.Committed::new);
        Arbitrary<JournalEntry> dropped = Combinators.combine(ids, sequences).as(JournalEntry.Dropped::new);
        Arbitrary<Optional<Instant>> deadlines =
                Arbitraries.longs().greaterOrEqual(0).map(Instant::ofEpochMilli).optional();
        Arbitrary<JournalEntry> joined = Combinators.combine(ids, texts(), texts(), deadlines, ids.optional())
                .as((id, description, device, deadline, activation) -> new JournalEntry.Joined(
                        new Worker(id, description, device, deadline, Instant.EPOCH, activation, Optional.empty())));
        Arbitrary<JournalEntry> left = ids.map(JournalEntry.Left::new);
        Arbitrary<JournalEntry> leased = Combinators.combine(ids, cursors).as(JournalEntry.Leased::new);
        Arbitrary<JournalEntry> returned = ids.map(JournalEntry.Returned::new);
        Arbitrary<String> names = ids.filter(text -> !text.isBlank());
        Arbitrary<JournalEntry> added = Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(0),
                        names,
                        names,
                        Arbitraries.longs().between(1, WorkPlan.MAX_SAMPLES))
                .as((number, name, url, samples) ->
                        new JournalEntry.Added(number, new WorkPlan.PlannedShard(name, url, samples)));
        return Arbitraries.oneOf(
                added,
                taken,
                staged,
                committed,
                dropped,
                joined,
                left,
                leased,
                returned,
                Arbitraries.just(new JournalEntry.Stepped()));
    }

    @Property(tries = 500)
    void shouldReadWhatWasWritten(@ForAll("entries") JournalEntry entry) {
        ByteBuffer bytes = encoded(entry);

        assertThat(bytes.remaining()).isLessThanOrEqualTo(JournalCodec.bound(entry));
        assertThat(JournalCodec.isPlausible(bytes.remaining(), bytes.get(0), bytes.remaining() > 1 ? bytes.get(1) : 0))
                .isTrue();
        JournalEntry read = JournalCodec.decode(bytes, "g1");
        assertThat(read).usingRecursiveComparison().isEqualTo(entry);
    }

    @Property(tries = 500)
    void shouldRefuseWhatIsCutOrTooLong(@ForAll("entries") JournalEntry entry, @ForAll byte more) {
        byte[] whole = new byte[encoded(entry).remaining() + 1];
        encoded(entry).get(whole, 0, whole.length - 1);
        whole[whole.length - 1] = more;
        for (int length = 0; length <= whole.length; length++) {
            ByteBuffer other = ByteBuffer.wrap(whole, 0, length).slice().order(ByteOrder.LITTLE_ENDIAN);
            if (length != whole.length - 1) {
                assertThat(catchThrowable(() -> JournalCodec.decode(other, "g1")))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Property(tries = 2000)
    void shouldReadAnyBytesOrSayWhatTheyAre(@ForAll byte[] bytes) {
        ByteBuffer body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

        assertThat(catchThrowable(() -> JournalCodec.decode(body, "g1")))
                .satisfiesAnyOf(
                        thrown -> assertThat(thrown).isNull(),
                        thrown -> assertThat(thrown).isInstanceOf(IllegalArgumentException.class));
    }

    private static ByteBuffer encoded(JournalEntry entry) {
        ByteBuffer bytes = ByteBuffer.allocate(JournalCodec.bound(entry)).order(ByteOrder.LITTLE_ENDIAN);
        JournalCodec.encode(entry, bytes);
        return bytes.flip();
    }
}
