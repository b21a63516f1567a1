package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.output.RunFailedException;

/** The checkpoints of a run with several servers, each of which has its own folder: {@code 0}, {@code 1} and so on. */
record PartitionedCheckpoints(List<Path> folders) {

    /**
     * All parts of a parameter set.
     *
     * @param versions each part's
     */
    record Joined(TensorSet parameters, List<Long> versions) {}

    /** Finds the folders of the servers. Finds none if the run had one server. */
    static PartitionedCheckpoints in(Path checkpoints) {
        List<Path> folders = new ArrayList<>();
        for (Path next = checkpoints.resolve("0");
                Files.isDirectory(next);
                next = checkpoints.resolve(Integer.toString(folders.size()))) {
            folders.add(next);
        }
        return new PartitionedCheckpoints(folders);
    }

    /**
     * Puts the newest parts of one version together.
     *
     * @param isMixed whether an asynchronous run's parts may be of several versions
     * @throws RunFailedException if no checkpoints match
     */
    Joined newest(boolean isMixed) throws IOException, RunFailedException {
        List<TreeMap<Long, Long>> numbers = new ArrayList<>();
        boolean isSynchronous = false;
        for (Path folder : folders) {
            TreeMap<Long, Long> byVersion = new TreeMap<>();
            for (ListedCheckpoint listed : list(folder)) {
                if (listed instanceof Complete complete) {
                    CheckpointManifest manifest = complete.manifest();
                    // Newest first: if a version was reached twice, the later checkpoint counts.
                    byVersion.putIfAbsent(manifest.version(), manifest.number());
                    isSynchronous |= manifest.isSynchronous();
                }
            }
            if (byVersion.isEmpty()) {
                throw RunFailedException.input("there is no undamaged checkpoint in %s".formatted(folder));
            }
            numbers.add(byVersion);
        }
        return read(numbers, isMixed && !isSynchronous ? newestOfEach(numbers) : common(numbers, isSynchronous));
    }

    private Joined read(List<TreeMap<Long, Long>> numbers, List<Long> versions) throws IOException, RunFailedException {
        List<TensorSet> parts = new ArrayList<>();
        for (int i = 0; i < folders.size(); i++) {
            try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folders.get(i)))) {
                Checkpoint checkpoint = checkpoints.read(numbers.get(i).getOrDefault(versions.get(i), 0L));
                parts.add(checkpoint.parameters());
            }
        }
        try {
            return new Joined(Partitioning.joined(parts), versions);
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(String.valueOf(unfit.getMessage()));
        }
    }

    private static List<ListedCheckpoint> list(Path folder) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            return checkpoints.list();
        }
    }

    private static List<Long> newestOfEach(List<TreeMap<Long, Long>> numbers) {
        return numbers.stream().map(TreeMap::lastKey).toList();
    }

    private static List<Long> common(List<TreeMap<Long, Long>> numbers, boolean isSynchronous)
            throws RunFailedException {
        TreeSet<Long> common = new TreeSet<>(numbers.get(0).keySet());
        numbers.forEach(byVersion -> common.retainAll(byVersion.keySet()));
        if (common.isEmpty()) {
            String each = numbers.stream()
                    .map(byVersion -> byVersion.keySet().toString())
                    .collect(Collectors.joining(", "));
            throw RunFailedException.input(
                    "the servers have no checkpoint of one version: they have %s; %s"
                            .formatted(
                                    each,
                                    isSynchronous
                                            ? "fleetgrad model pull takes the parameters from running servers"
                                            : "fleetgrad model pull takes the parameters from running servers, and --mixed joins the newest part of each"));
        }
        return numbers.stream().map(unused -> common.last()).toList();
    }
}
