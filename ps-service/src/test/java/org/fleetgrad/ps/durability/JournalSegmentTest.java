package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small segment, cut and damaged at every place. */
@Timeout(60)
class JournalSegmentTest {

    private static final SegmentHeader HEADER = new SegmentHeader(
            SegmentHeader.FORMAT, 1, "g1", 7, true, new Arithmetic("SGD", "none", "constant", "mean"));

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final List<JournalEntry> entries = List.of(
            new JournalEntry.Joined(new Worker("a", "größe 🙂", "cpu", Optional.empty(), Instant.EPOCH)),
            taken(1, 0.5f, 1, -2, 3.25f),
            taken(2, Float.MIN_VALUE, -0f, 1e30f, 0),
            new JournalEntry.Left("a"),
            new JournalEntry.Stepped());
    private final List<Integer> ends = new ArrayList<>();
    private byte[] whole = {};

    private static JournalEntry taken(long sequence, float... values) {
        return new JournalEntry.Taken(new GradientMetadata("a", sequence, "g1", 7, 3, 1.5), values, sequence == 2);
    }

    @BeforeEach
    void write() throws IOException {
        Path file = folder.resolve("whole");
        try (JournalSegment segment = JournalSegment.create(file, HEADER)) {
            ends.add((int) segment.bytes());
            for (JournalEntry entry : entries) {
                segment.append(entry);
                ends.add((int) segment.bytes());
            }
        }
        whole = Files.readAllBytes(file);
        assertThat(whole).hasSize(ends.get(entries.size()));
    }

    private record Seen(List<JournalEntry> entries, long end, boolean isDamaged, boolean hasMore) {}

    private Seen read(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("other"), bytes);
        try (JournalReader reader = new JournalReader(file)) {
            assertThat(reader.header()).isEqualTo(HEADER);
            List<JournalEntry> seen = new ArrayList<>();
            for (Optional<JournalEntry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
                seen.add(entry.get());
            }
            boolean isDamaged = reader.damage().isPresent();
            return new Seen(seen, reader.end(), isDamaged, isDamaged && reader.hasEntriesAfterDamage());
        }
    }

    @Test
    void shouldReadTheWholeEntriesBeforeAnyCut() throws IOException {
        for (int length = 0; length <= whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            if (length < ends.get(0)) {
                assertThatThrownBy(() -> read(cut))
                        .isInstanceOfSatisfying(
                                JournalReader.NotASegmentException.class,
                                none -> assertThat(none.hasEntries()).isFalse());
                continue;
            }
            int expected = entriesBefore(length);

            Seen seen = read(cut);

            assertThat(seen.entries()).usingRecursiveComparison().isEqualTo(entries.subList(0, expected));
            assertThat(seen.end()).isEqualTo((long) ends.get(expected));
            assertThat(seen.isDamaged()).isEqualTo(ends.get(expected) != length);
            assertThat(seen.hasMore()).as("a torn tail, cut at " + length).isFalse();
        }
    }

    @Test
    void shouldNoticeEveryByteThatIsNotWhatWasWritten() throws IOException {
        for (int at = 0; at < whole.length; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) bit;
                if (at < ends.get(0)) {
                    assertThatThrownBy(() -> read(flipped))
                            .isInstanceOfSatisfying(
                                    JournalReader.NotASegmentException.class,
                                    none -> assertThat(none.hasEntries()).isTrue());
                    continue;
                }
                int expected = entriesBefore(at);

                Seen seen = read(flipped);

                assertThat(seen.entries()).usingRecursiveComparison().isEqualTo(entries.subList(0, expected));
                assertThat(seen.isDamaged()).isTrue();
                assertThat(seen.hasMore())
                        .as("damage in the middle, bit %d of byte %d", bit, at)
                        .isEqualTo(expected < entries.size() - 1);
            }
        }
    }

    @Test
    void shouldFindALongEntryAfterDamageInAShortOne() throws IOException {
        Path file = folder.resolve("long");
        try (JournalSegment segment = JournalSegment.create(file, HEADER)) {
            segment.append(entries.get(0));
            segment.append(taken(1, new float[3 << 20]));
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[ends.get(0) + JournalSegment.FRAME_BYTES] ^= 1;

        assertThat(read(bytes).hasMore()).as("a gradient of 12 MiB after it").isTrue();
        // The window of the search for entries ends in the middle of this entry's frame.
        for (int gap = (1 << 20) - 12; gap < (1 << 20) + 4; gap++) {
            byte[] apart = new byte[ends.get(0) + gap + whole.length - ends.get(4)];
            System.arraycopy(whole, 0, apart, 0, ends.get(0));
            System.arraycopy(whole, ends.get(4), apart, ends.get(0) + gap, whole.length - ends.get(4));
            assertThat(read(apart).hasMore()).as("after %d zeros", gap).isTrue();
        }
    }

    @Test
    void shouldTakeZerosForATornTail() throws IOException {
        Seen seen = read(Arrays.copyOf(whole, whole.length + 5000));

        assertThat(seen.entries()).hasSize(entries.size());
        assertThat(seen.isDamaged()).isTrue();
        assertThat(seen.hasMore()).isFalse();
    }

    private int entriesBefore(int length) {
        int before = 0;
        while (before < entries.size() && ends.get(before + 1) <= length) {
            before++;
        }
        return before;
    }
}
