package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.output.RunFailedException;

/** Finds what each of a run's servers resumes from, if there are several. */
public final class ResumeParts {

    private ResumeParts() {}

    /** Returns the folder of each server's checkpoints: a single server uses the folder itself, several use subfolders. */
    public static List<Path> folders(Path checkpoints, int servers) {
        return servers == 1
                ? List.of(checkpoints)
                : IntStream.range(0, servers)
                        .mapToObj(i -> checkpoints.resolve(Integer.toString(i)))
                        .toList();
    }

    /**
     * Translates {@code given} into each server's {@code ps.resume-from}: the checkpoints of a run with as many servers.
     *
     * @throws RunFailedException if there is nothing to resume from, or the number of servers differs
     */
    public static List<String> sources(String given, int servers) throws RunFailedException {
        Path path;
        try {
            path = Path.of(given).toAbsolutePath().normalize();
        } catch (InvalidPathException invalid) {
            throw RunFailedException.input("--resume %s: not a path: %s".formatted(given, invalid.getMessage()));
        }
        if (given.startsWith("s3://")) {
            throw RunFailedException.input(
                    "--resume %s: with --servers %d pass a run's folder on this machine".formatted(given, servers));
        }
        ResumePath.requireFolder(given, path);
        Path ofRun = path.resolve(ResumePath.CHECKPOINTS);
        Path location = Files.isDirectory(ofRun) ? ofRun : path;
        int there = count(location);
        if (there != servers) {
            throw RunFailedException.input(
                    "--resume %s: %s, and --servers is %d; pass --servers %d, or export the model, and begin with it: fleetgrad model export --checkpoints %s --out model.safetensors"
                            .formatted(
                                    given,
                                    there == 0
                                            ? "there are no partitions in " + location
                                            : "it is a run of %d servers".formatted(there),
                                    servers,
                                    Math.max(there, 1),
                                    given));
        }
        return folders(location, servers).stream().map(Path::toString).toList();
    }

    /** Returns how many servers have checkpoints in subfolders; 0 if the folder is a single server's, or empty. */
    public static int count(Path checkpoints) throws RunFailedException {
        int count = 0;
        while (ResumePath.hasCheckpoints(checkpoints.resolve(Integer.toString(count)))) {
            count++;
        }
        return count;
    }

    /**
     * Cuts a file into a partition for each server.
     *
     * @param into folder for the partitions
     * @throws IllegalArgumentException if it is not a safetensors file, or has fewer values than there are servers
     */
    static List<String> split(Path file, int servers, Path into) throws IOException {
        TensorSet read;
        try {
            read = Safetensors.map(file);
        } catch (SafetensorsException malformed) {
            throw new IllegalArgumentException(malformed.getMessage(), malformed);
        }
        // The file starts a new run, so its labels of an earlier partitioning are ignored.
        TensorSet whole = new TensorSet(read.layout(), read.data(), PartitionLabel.without(read.metadata()));
        List<String> sources = new ArrayList<>();
        for (TensorSet part : Partitioning.of(whole.layout(), servers).split(whole)) {
            Path target = Files.createDirectories(into).resolve("partition-%d.safetensors".formatted(sources.size()));
            AtomicFile.write(target, Safetensors.encode(part).array());
            sources.add(target.toString());
        }
        return sources;
    }
}
