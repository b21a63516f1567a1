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
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small segment, truncated and damaged at every position. */
@Timeout(60)
class JournalSegmentTest {

    private static final JournalSegment.Header HEADER = new JournalSegment.Header(
            JournalSegment.Header.FORMAT,
            1,
            0x0123456789abcdefL,
            "g1",
            7,
            true,
            new Arithmetic("SGD", "none", "constant", "mean", "", ""));

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final List<JournalEntry> entries = List.of(
            new JournalEntry.Joined(new Worker(
                    "a", "größe 🙂", "cpu", Optional.empty(), Instant.EPOCH, Optional.empty(), Optional.empty())),
            taken(1, 0.5f, 1, -2, 3.25f),
            taken(2, Float.MIN_VALUE, -0f, 1e30f, 0),
            new JournalEntry.Left("a"),
            new JournalEntry.Stepped());
    private final List<Integer> ends = new ArrayList<>();
    private byte[] whole = {};

    private static JournalEntry taken(long sequence, float... values) {
        return new JournalEntry.Taken(
                new Gradient(new GradientMetadata("a", sequence, "g1", 7, 3, 1.5), values), sequence == 2);
    }

    @BeforeEach
    void write() throws IOException {
        Path file = folder.resolve("whole");
        try (JournalSegment segment = JournalSegment.create(file, HEADER)) {
            ends.add((int) segment.bytes());
            for (JournalEntry entry : entries) {
                segment.append(entry);
                segment.force();
                ends.add((int) segment.bytes());
            }
        }
        whole = Files.readAllBytes(file);
        assertThat(whole).hasSize(ends.get(entries.size()));
    }

    private record Seen(List<JournalEntry> entries, long end, boolean isDamaged, boolean isInForced) {}

    private Seen read(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("other"), bytes);
        try (JournalReader reader = new JournalReader(file)) {
            assertThat(reader.header()).isEqualTo(HEADER);
            List<JournalEntry> seen = new ArrayList<>();
            for (Optional<JournalEntry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
                seen.add(entry.get());
            }
            boolean isDamaged = reader.damage().isPresent();
            return new Seen(seen, reader.end(), isDamaged, isDamaged && reader.isDamageInForced());
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
            assertThat(seen.isInForced()).as("a torn tail, cut at " + length).isFalse();
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
                assertThat(seen.isInForced())
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
            segment.force();
            segment.append(taken(1, new float[3 << 20]));
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[ends.get(0) + JournalSegment.FRAME_BYTES] ^= 1;

        assertThat(read(bytes).isInForced()).as("a gradient of 12 MiB after it").isTrue();
        // The window of the search for entries ends in the middle of this entry's frame.
        for (int gap = (1 << 20) - 28; gap < (1 << 20) + 4; gap++) {
            byte[] apart = new byte[ends.get(0) + gap + whole.length - ends.get(4)];
            System.arraycopy(whole, 0, apart, 0, ends.get(0));
            System.arraycopy(whole, ends.get(4), apart, ends.get(0) + gap, whole.length - ends.get(4));
            assertThat(read(apart).isInForced()).as("after %d zeros", gap).isTrue();
        }
    }

    @Test
    void shouldTakeZerosForATornTail() throws IOException {
        Seen seen = read(Arrays.copyOf(whole, whole.length + 5000));

        assertThat(seen.entries()).hasSize(entries.size());
        assertThat(seen.isDamaged()).isTrue();
        assertThat(seen.isInForced()).isFalse();
    }

    /** A power loss may destroy a part of what was not forced, and nothing of it was acknowledged. */
    @Test
    void shouldTakeAHoleInEntriesThatWereNotForcedForATornTail() throws IOException {
        Path file = folder.resolve("group");
        List<Integer> begins = new ArrayList<>();
        try (JournalSegment segment = JournalSegment.create(file, HEADER)) {
            segment.append(entries.get(0));
            segment.force();
            for (JournalEntry entry : entries) {
                begins.add((int) segment.bytes());
                segment.append(entry);
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, begins.get(1), begins.get(2), (byte) 0);

        Seen seen = read(bytes);

        assertThat(seen.entries()).hasSize(2);
        assertThat(seen.end()).isEqualTo((long) begins.get(1));
        assertThat(seen.isInForced()).isFalse();
    }

    /** A worker's bytes must not decide whether a torn tail may be cut off, or how long the check takes. */
    @Test
    void shouldNotTakeWhatAGradientContainsForAnEntry() throws IOException {
        // A gradient of complete frames from another journal of the same server, whose markers differ.
        Path other = folder.resolve("of another marker");
        JournalSegment.Header header = new JournalSegment.Header(
                JournalSegment.Header.FORMAT, 1, ~HEADER.marker(), "g1", 7, true, HEADER.arithmetic());
        try (JournalSegment segment = JournalSegment.create(other, header)) {
            segment.append(taken(1, 1, 2));
            segment.force();
            segment.append(taken(2, 1, 2));
        }
        byte[] forged = Files.readAllBytes(other);
        byte[] torn = Arrays.copyOf(whole, whole.length + 1 + 3 * forged.length);
        for (int copy = 0; copy < 3; copy++) {
            System.arraycopy(forged, 0, torn, whole.length + 1 + copy * forged.length, forged.length);
        }

        Seen seen = read(torn);

        assertThat(seen.entries()).hasSize(entries.size());
        assertThat(seen.isInForced()).isFalse();
    }

    /** Each position looks like the beginning of a gradient that extends to the end of the file. */
    @Test
    void shouldReadATornTailOfLengthsOnlyOnce() throws IOException {
        byte[] torn = Arrays.copyOf(whole, 8 << 20);
        for (int at = whole.length; at < torn.length; at += 4) {
            torn[at] = 1;
            torn[at + 1] = 1;
            torn[at + 2] = 1;
        }

        assertThat(read(torn).isInForced()).isFalse();
    }

    private int entriesBefore(int length) {
        int before = 0;
        while (before < entries.size() && ends.get(before + 1) <= length) {
            before++;
        }
        return before;
    }
}
