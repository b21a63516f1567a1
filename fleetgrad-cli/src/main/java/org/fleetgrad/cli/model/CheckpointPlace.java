package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.CorruptCheckpointException;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.checkpoints.ListedCheckpoint.Corrupt;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.resume.BestFile;
import org.fleetgrad.store.RemoteException;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The place from which a command reads checkpoints, and the message if that fails.
 *
 * @param from    as the user names it
 * @param command on whose terminal is told what is skipped
 */
record CheckpointPlace(String from, CommandSpec command) {

    private static final String SUBFOLDER = "checkpoints";

    /** Uses the checkpoints of a location. */
    @FunctionalInterface
    interface Use {
        void of(Checkpoints checkpoints, CheckpointLocation location) throws IOException, RunFailedException;
    }

    /** Opens the location for {@code use}; explains every failure in one sentence. */
    void read(Use use) throws RunFailedException {
        CheckpointLocation location = location();
        try (Checkpoints checkpoints = Checkpoints.open(location)) {
            use.of(checkpoints, location);
        } catch (RemoteException away) {
            throw RunFailedException.remote(String.valueOf(away.getMessage()));
        } catch (CorruptCheckpointException corrupt) {
            throw RunFailedException.input(
                    corrupt.getMessage() + "; choose another one: fleetgrad model list --checkpoints " + from);
        } catch (NoSuchFileException missing) {
            throw RunFailedException.input(missing.getMessage() + "; see fleetgrad model list --checkpoints " + from);
        } catch (IOException failed) {
            String message = "checkpoints of %s cannot be read: %s".formatted(location, failed);
            throw location.folder().isPresent()
                    ? RunFailedException.input(message)
                    : RunFailedException.remote(message);
        } catch (IllegalArgumentException invalid) {
            throw RunFailedException.input(String.valueOf(invalid.getMessage()));
        }
    }

    /** Reads the checkpoint of a number; without a number, the newest complete one. */
    Checkpoint choose(Checkpoints checkpoints, CheckpointLocation location, CheckpointChoice choice)
            throws IOException, RunFailedException {
        choice.requireOne(command);
        if (choice.isBest()) {
            try (BestVersion best = best(location)) {
                return best.read();
            }
        }
        if (choice.number().isPresent()) {
            return checkpoints.read(choice.number().getAsLong());
        }
        List<ListedCheckpoint> listed = checkpoints.list();
        for (ListedCheckpoint checkpoint : listed) {
            if (checkpoint instanceof Complete) {
                return checkpoints.read(checkpoint.number());
            }
            if (checkpoint instanceof Corrupt corrupt) {
                tell("fleetgrad: skipping checkpoint %d: its %s %s"
                        .formatted(corrupt.number(), corrupt.file(), corrupt.reason()));
            }
        }
        throw RunFailedException.input(
                listed.isEmpty()
                        ? "there is no checkpoint in %s".formatted(location)
                        : "all %d checkpoints in %s are damaged".formatted(listed.size(), location));
    }

    /** Opens the best version of a location; of several servers, the lead has it. */
    BestVersion best(CheckpointLocation location) {
        return location.folder().map(BestFile::open).orElseGet(() -> BestVersion.of(location));
    }

    /** Returns the checkpoints of a run with several servers; empty if the location is a single server's. */
    PartitionedCheckpoints partitions() throws RunFailedException {
        Optional<Path> folder = location().folder();
        return folder.isPresent() ? PartitionedCheckpoints.in(folder.get()) : new PartitionedCheckpoints(List.of());
    }

    /** Returns the folder of the run, if the location is one. */
    Optional<Path> run() {
        if (from.startsWith("s3://")) {
            return Optional.empty();
        }
        Path folder = Path.of(from);
        return Files.isDirectory(folder.resolve(SUBFOLDER)) ? Optional.of(folder) : Optional.empty();
    }

    private CheckpointLocation location() throws RunFailedException {
        CheckpointLocation location;
        try {
            location = CheckpointLocation.parse(from, System::getenv);
        } catch (IllegalArgumentException invalid) {
            throw RunFailedException.input(String.valueOf(invalid.getMessage()));
        }
        Optional<Path> folder = location.folder();
        if (folder.isEmpty()) {
            return location;
        }
        // Opening would create the folder, and this only reads.
        if (!Files.isDirectory(folder.get())) {
            throw RunFailedException.input("there is no folder %s".formatted(from));
        }
        Path subfolder = folder.get().resolve(SUBFOLDER);
        return Files.isDirectory(subfolder) ? CheckpointLocation.inFolder(subfolder) : location;
    }

    private void tell(String line) {
        command.commandLine().getErr().println(line);
        command.commandLine().getErr().flush();
    }

    /** Prints a result. */
    void print(String text) {
        command.commandLine().getOut().println(text);
        command.commandLine().getOut().flush();
    }
}
