package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The segment that entries go to now, and the change to the next one. Belongs to the applier. */
final class JournalWriter {

    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

    private final Journal journal;
    private final Arithmetic arithmetic;
    private int recovered;
    private @Nullable JournalSegment segment;

    JournalWriter(Journal journal, Arithmetic arithmetic) {
        this.journal = journal;
        this.arithmetic = arithmetic;
    }

    /** Says where the checkpoint begins in the journal that was gone back to, whether or not that is still there. */
    void wentBackTo(int number) {
        recovered = number;
    }

    /** Writes an entry; before the first state there is nothing that it could follow. */
    void append(JournalEntry entry) throws IOException {
        if (segment != null) {
            segment.append(entry);
        }
    }

    void force() throws IOException {
        if (segment != null) {
            segment.force();
        }
    }

    /** Returns the length of the segment. */
    long bytes() {
        return segment == null ? 0 : segment.bytes();
    }

    /** Begins the segment that follows {@code state}, which is not used yet; the one before is on the disk whole then. */
    JournalSegment begin(TrainingState state, boolean continues) throws IOException {
        // Where segments were lost their numbers are not used again: a checkpoint may still name them.
        int last = Math.max(journal.last().orElse(0), recovered);
        if (segment != null) {
            segment.settle();
            // What is there beyond it was begun and never used, and could not be deleted.
            last = segment.number();
        }
        return journal.create(new SegmentHeader(
                SegmentHeader.FORMAT,
                last + 1,
                state.version().generation(),
                state.version().version(),
                continues,
                arithmetic));
    }

    /** Lets go of a segment that was begun and is not used. */
    void discard(JournalSegment unused) {
        try {
            unused.close();
            journal.delete(unused.number());
        } catch (IOException left) {
            LOG.warn("{} could not be deleted; the next one overwrites it", journal.file(unused.number()), left);
        }
    }

    /** Entries go to {@code next} from now on. */
    void use(Optional<JournalSegment> next) {
        JournalSegment before = segment;
        segment = next.orElse(null);
        if (before != null) {
            try {
                before.close();
            } catch (IOException unclosed) {
                // It was settled before the next one began, and nothing came since.
                LOG.warn("{} could not be closed", journal.file(before.number()), unclosed);
            }
        }
    }
}
