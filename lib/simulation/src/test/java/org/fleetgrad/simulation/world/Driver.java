package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.FeedbackShardName;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.runs.learning.FeedbackFolder;
import org.fleetgrad.runs.learning.FeedbackInProcess;
import org.fleetgrad.runs.learning.FeedbackWork;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.simulation.disk.DiskMount;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.worker.SampleShards;
import org.jspecify.annotations.Nullable;

/**
 * The command of a run: gives it its work, and adds the shards of feedback that somebody puts into its folder. Its process may die at
 * any change of its disk, and starts again. Its machine does not: a folder's renames are then as they were.
 */
final class Driver {

    private static final String ROOT = "/run";
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final Duration LONGEST_RESTART = Duration.ofSeconds(5);

    private final Kernel kernel;
    private final SampleShards shards;
    private final Supplier<ParameterServers> clients;
    private final BooleanSupplier isOver;
    private final ForgetfulDisk disk;
    private int collected;
    private boolean isWorkPut;
    private @Nullable DiskMount mount;
    private @Nullable Fiber process;

    Driver(Kernel kernel, SampleShards shards, Supplier<ParameterServers> clients, BooleanSupplier isOver) {
        this.kernel = kernel;
        this.shards = shards;
        this.clients = clients;
        this.isOver = isOver;
        this.disk = new ForgetfulDisk(kernel.random());
    }

    /** Starts it, and lets feedback come: soon, because nothing can be added to a run whose epochs are all assigned. */
    void start() {
        try {
            FeedbackFolder folder = folder(disk.mount());
            Files.createDirectories(folder.shards());
            Files.createDirectories(folder.collected());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        startProcess();
        for (int i = 0; i < shards.added().size(); i++) {
            kernel.after(kernel.between(Duration.ZERO, SOON), this::collect);
        }
    }

    private static FeedbackFolder folder(DiskMount of) {
        return FeedbackFolder.of(of.path(ROOT + "/shards"));
    }

    /** Does what an inference API does. */
    private void collect() {
        Path from = shards.added().get(collected);
        FeedbackShardName name = new FeedbackShardName(collected++, samplesOfOne());
        try {
            Files.write(folder(disk.mount()).collected().resolve(name.fileName()), Files.readAllBytes(from));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private int samplesOfOne() {
        return shards.samples() / shards.plan().shards().size();
    }

    private void startProcess() {
        if (!isOver.getAsBoolean()) {
            DiskMount mine = disk.mount();
            mount = mine;
            process = kernel.start("driver", () -> run(mine));
        }
    }

    private void run(DiskMount mine) {
        PsClient lead = clients.get().lead();
        FeedbackWork feedback =
                FeedbackInProcess.of(folder(mine), SampleShards.schema(), this::url, lead, kernel::nanos);
        boolean isPut = false;
        while (!isOver.getAsBoolean() && !mine.isDead()) {
            try {
                if (!isPut) {
                    lead.putWork(shards.plan());
                    isPut = true;
                    isWorkPut = true;
                }
                if (shards.added().isEmpty()) {
                    return;
                }
                feedback.look(lead.status());
            } catch (IOException away) {
                // The server comes back.
            } catch (RunFailedException | InterruptedException wrong) {
                throw new IllegalStateException(wrong);
            }
            Fiber.sleep(LOOK);
        }
    }

    /** Returns the address of the same shard outside of the world. */
    private String url(Path file) {
        return shards.added().get(indexOf(file)).toString();
    }

    private int indexOf(Path file) {
        try {
            int first = ShardArchive.read(file).description().range().first();
            return first / samplesOfOne() - shards.plan().shards().size();
        } catch (IOException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    /** Kills the process, at once or at one of its next changes; it starts again. */
    void kill(int changes) {
        DiskMount at = mount;
        Fiber running = process;
        if (at == null || running == null || running.isOver()) {
            return;
        }
        at.killAfter(changes);
        kernel.after(kernel.between(Duration.ZERO, LONGEST_RESTART), () -> {
            at.kill();
            running.kill();
            startProcess();
        });
    }

    /** Tells whether the run has its work. */
    boolean isWorkPut() {
        return isWorkPut;
    }

    /**
     * Returns which of the shards were put to work.
     *
     * @param last the largest number that the server knows
     */
    Set<Integer> atWork(long last) {
        try {
            return FeedbackInProcess.atWork(folder(disk.mount())).entrySet().stream()
                    .filter(each -> each.getKey() <= last)
                    .map(each -> indexOf(each.getValue()))
                    .collect(Collectors.toSet());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return "work put %s, feedback collected %d".formatted(isWorkPut, collected);
    }
}
