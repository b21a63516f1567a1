package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The work of a run that has no parameter set yet, in a file beside the checkpoints. A checkpoint needs parameters, but
 * the work is acknowledged before the first worker puts them. The first checkpoint contains the work, and the file is
 * deleted.
 */
final class EarlyWork {

    static final String FILE = "work.json";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final CheckpointLocation location;
    private final ObjectName name;
    private boolean isWritten;

    EarlyWork(CheckpointLocation location) {
        this.location = location;
        this.name = new ObjectName(location.place().namePrefix() + FILE);
    }

    /** Writes the work; when this returns, it survives a crash. */
    void write(WorkPlan plan) throws IOException {
        byte[] json = JSON.writeValueAsBytes(plan);
        ObjectStore store = location.place().open();
        store.createBucketIfMissing();
        store.put(name, json.length, out -> out.write(json));
        isWritten = true;
    }

    /** Reads what an earlier server wrote and no checkpoint contains. */
    Optional<WorkPlan> read() throws IOException {
        try (InputStream in = location.place().open().get(name)) {
            WorkPlan plan = JSON.readValue(in.readAllBytes(), WorkPlan.class);
            isWritten = true;
            return Optional.of(plan);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (JacksonException damaged) {
            throw new IOException(
                    "%s of %s is damaged: %s; delete it, and put the work again"
                            .formatted(FILE, location, damaged.getOriginalMessage()),
                    damaged);
        }
    }

    /** Deletes the file, since a checkpoint contains the work. */
    void delete() throws IOException {
        if (isWritten) {
            location.place().open().delete(name);
            isWritten = false;
        }
    }
}
