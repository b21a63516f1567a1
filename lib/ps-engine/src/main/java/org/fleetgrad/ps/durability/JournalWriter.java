package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes to the current segment, and switches to the next one. Confined to the applier. */
final class JournalWriter {

    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

    private final Journal journal;
    private final Arithmetic arithmetic;
    private final SecureRandom markers = new SecureRandom();
    private int recovered;
    private @Nullable JournalSegment segment;

    JournalWriter(Journal journal, Arithmetic arithmetic) {
        this.journal = journal;
        this.arithmetic = arithmetic;
    }

    /** Sets the first segment after the recovered checkpoint, whether or not it still exists. */
    void recoveredFrom(int number) {
        recovered = number;
    }

    /** Writes an entry. Does nothing before the first state, because an entry needs a state to follow. */
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

    /** Returns the length of the current segment. */
    long bytes() {
        return segment == null ? 0 : segment.bytes();
    }

    /**
     * Creates the segment that will follow {@code state}, but does not use it yet. The current segment is forced to the
     * disk first.
     */
    JournalSegment begin(TrainingState state, boolean continues) throws IOException {
        // The numbers of lost segments are not used again: a checkpoint may still name them.
        int last = Math.max(journal.last().orElse(0), recovered);
        if (segment != null) {
            segment.seal();
            // A later file is a segment that was created and never used, and could not be deleted.
            last = segment.number();
        }
        return journal.create(new JournalSegment.Header(
                JournalSegment.Header.FORMAT,
                last + 1,
                markers.nextLong(),
                state.version().generation(),
                state.version().version(),
                continues,
                arithmetic));
    }

    /** Deletes a segment that was created but is not used. */
    void discard(JournalSegment unused) {
        try {
            unused.close();
            journal.delete(unused.number());
        } catch (IOException left) {
            LOG.warn("{} could not be deleted; the next one overwrites it", journal.file(unused.number()), left);
        }
    }

    /** Switches to {@code next}: entries go there from now on. */
    void use(Optional<JournalSegment> next) {
        JournalSegment before = segment;
        segment = next.orElse(null);
        if (before != null) {
            try {
                before.close();
            } catch (IOException unclosed) {
                // The segment was forced before the next one was created, and got no entry since.
                LOG.warn("{} could not be closed", journal.file(before.number()), unclosed);
            }
        }
    }
}
