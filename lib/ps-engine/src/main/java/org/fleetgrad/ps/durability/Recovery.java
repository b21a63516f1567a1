package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.CorruptCheckpointException;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.durability.StateFiles.UnreadableStateException;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore.Replay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recovers the newest readable state, and replays the journal after it. */
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Checkpoints checkpoints;
    private final Optional<Journal> journal;
    private final Arithmetic arithmetic;

    Recovery(Checkpoints checkpoints, Optional<Journal> journal, Arithmetic arithmetic) {
        this.checkpoints = checkpoints;
        this.journal = journal;
        this.arithmetic = arithmetic;
    }

    /**
     * The result of a recovery.
     *
     * @param isComplete whether everything that was acknowledged was recovered
     * @param segment    number of the first journal segment after the checkpoint
     */
    record Recovered(boolean isComplete, Optional<Integer> segment) {}

    /** Returns empty if the location has no state. */
    Optional<Recovered> recover(Replay replay) throws IOException {
        List<String> damaged = new ArrayList<>();
        for (ListedCheckpoint listed : checkpoints.list()) {
            if (listed instanceof ListedCheckpoint.Corrupt corrupt) {
                note(damaged, "%s of checkpoint %d %s".formatted(corrupt.file(), corrupt.number(), corrupt.reason()));
                continue;
            }
            CheckpointManifest manifest = ((ListedCheckpoint.Complete) listed).manifest();
            try {
                return Optional.of(continueFrom(
                        StateFiles.read(checkpoints.read(manifest.number())), manifest, damaged.isEmpty(), replay));
            } catch (CorruptCheckpointException | UnreadableStateException corrupt) {
                note(damaged, String.valueOf(corrupt.getMessage()));
            }
        }
        if (!damaged.isEmpty()) {
            throw new IOException(
                    "none of the %d checkpoints can be read: %s; repair them, or move them away to start a new run"
                            .formatted(damaged.size(), String.join("; ", damaged)));
        }
        return Optional.empty();
    }

    private static void note(List<String> damaged, String what) {
        LOG.error("skipped a damaged checkpoint: {}", what);
        damaged.add(what);
    }

    private Recovered continueFrom(StateFiles.Saved saved, CheckpointManifest manifest, boolean isNewest, Replay replay)
            throws IOException {
        StateFiles.Position position = saved.position();
        if (!position.arithmetic().isCompatibleWith(arithmetic)) {
            throw new IOException(
                    "%s was taken with %s, but the settings are %s: restore the old settings, or start a new run from it with ps.resume-from and another ps.durability.location"
                            .formatted(manifest.name(), position.arithmetic(), arithmetic));
        }
        replay.restore(saved.state());
        LOG.info("recovered {}, version {}", manifest.name(), manifest.version());
        if (position.segment().isEmpty()) {
            if (!position.isFinal()) {
                LOG.warn(
                        "the steps after {} were not journaled and are lost: a new generation begins", manifest.name());
            }
            return new Recovered(position.isFinal(), Optional.empty());
        }
        boolean isComplete =
                journal.isPresent() && replay(journal.get(), position.segment().get(), isNewest, replay);
        return new Recovered(isComplete, position.segment());
    }

    /** Replays the segments from {@code first} on. Returns whether they contain everything that was acknowledged. */
    private boolean replay(Journal from, int first, boolean isNewest, Replay replay) throws IOException {
        int last = from.last().orElse(0);
        if (last < first) {
            LOG.error("{} is missing and its entries are lost: a new generation begins", from.file(first));
            return false;
        }
        long entries = 0;
        for (int number = first; number <= last; number++) {
            try (JournalReader reader = from.read(number)) {
                boolean follows = follows(reader.header(), number == first, replay.version());
                boolean isUnused = number > first && number == last && reader.isEmpty();
                if (!follows && isUnused && (isNewest || reader.header().continues())) {
                    // The checkpoint that this segment was created for was never completed, and its change was not
                    // acknowledged.
                    from.delete(number);
                    break;
                }
                if (!follows) {
                    LOG.error(
                            "{} does not continue the state before it; a parameter set put in between may be in a checkpoint that cannot be read: a new generation begins",
                            from.file(number));
                    return false;
                }
                entries += replay(reader, replay);
                if (reader.damage().isPresent() && !isTornTail(reader, number == last)) {
                    return false;
                }
                if (reader.damage().isPresent()) {
                    from.cut(number, reader.end());
                }
            } catch (NoSuchFileException gone) {
                LOG.error("{} is missing and its entries are lost: a new generation begins", from.file(number));
                return false;
            } catch (JournalReader.NotASegmentException damaged) {
                if (number == last && number > first && !damaged.hasEntries()) {
                    // The server ended while it wrote the header: the segment has no acknowledged entry.
                    LOG.warn("{}; it has no entries and is deleted", damaged.getMessage());
                    from.delete(number);
                    break;
                }
                LOG.error("{}; its entries are lost: a new generation begins", damaged.getMessage());
                return false;
            }
        }
        LOG.info("replayed {} journaled entries", entries);
        return true;
    }

    /** Compares generation and version too: segment numbers start again after a journal was deleted. */
    private static boolean follows(JournalSegment.Header header, boolean isFirst, ParameterVersion now) {
        return (isFirst || header.continues())
                && now.equals(new ParameterVersion(header.generation(), header.version()));
    }

    private long replay(JournalReader reader, Replay replay) throws IOException {
        long entries = 0;
        for (Optional<JournalEntry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
            if (entries == 0 && !reader.header().arithmetic().equals(arithmetic)) {
                throw new IOException(
                        "the journal was written with %s, but the settings are %s: restore the old settings until a checkpoint contains the journal"
                                .formatted(reader.header().arithmetic(), arithmetic));
            }
            replay.replay(entry.get());
            entries++;
        }
        return entries;
    }

    private static boolean isTornTail(JournalReader reader, boolean isLast) throws IOException {
        String damage = reader.damage().orElseThrow();
        if (isLast && !reader.isDamageInForced()) {
            LOG.warn(
                    "the journal has a torn tail, as after the kill of a server or a loss of power: cut off {} bytes that were never acknowledged ({})",
                    reader.bytes() - reader.end(),
                    damage);
            return true;
        }
        LOG.error("the journal is damaged and its later entries are lost: a new generation begins ({})", damage);
        return false;
    }
}
