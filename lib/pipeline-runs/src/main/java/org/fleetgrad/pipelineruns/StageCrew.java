package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.fleetgrad.pipeline.run.StageConfiguration;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipelineruns.PipelineSettings.StagePlaces;
import org.fleetgrad.pipelineruns.control.Stages;
import org.fleetgrad.pipelineruns.control.Stages.StageEvent;
import org.fleetgrad.pipelineruns.place.HostPlace;
import org.fleetgrad.pipelineruns.place.HostPlace.StageHost;
import org.fleetgrad.pipelineruns.place.StageProgramPlan;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.start.StartWait;
import org.jspecify.annotations.Nullable;

/**
 * The programs of all stages: it starts, configures, watches and ends them. If one of them fails, the driver finds out
 * which, and all others end. Confined to one thread.
 */
final class StageCrew implements AutoCloseable {

    private static final Duration END_LIMIT = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(200);
    /** A stage that dies makes its neighbours fail: which was first is known only a moment later. */
    private static final Duration AFTERMATH = Duration.ofSeconds(2);

    private final int stages;
    private final Stages connections;
    private final List<StageHost> hosts = new ArrayList<>();
    private final Services services;

    private StageCrew(int stages, Stages connections, Services services) {
        this.stages = stages;
        this.connections = connections;
        this.services = services;
    }

    /**
     * Starts the programs; returns before they have connected.
     *
     * @param heaps of the program of each stage, in bytes
     */
    static StageCrew start(HostPlace place, StagePlaces places, List<Long> heaps, Stages connections, Services services)
            throws IOException, InterruptedException {
        StageCrew crew = new StageCrew(heaps.size(), connections, services);
        try {
            if (places == StagePlaces.THREADS) {
                List<Integer> all = IntStream.range(0, heaps.size()).boxed().toList();
                long heap = heaps.stream().mapToLong(Long::longValue).sum();
                crew.hosts.add(place.start(crew.program(all, heap)));
            } else {
                for (int stage = 0; stage < heaps.size(); stage++) {
                    crew.hosts.add(place.start(crew.program(List.of(stage), heaps.get(stage))));
                }
            }
            return crew;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            crew.close();
            throw failed;
        }
    }

    private StageProgramPlan program(List<Integer> stages, long heap) {
        return new StageProgramPlan(stages, connections.address(), connections.token(), heap);
    }

    /**
     * Sends every stage its configuration, and waits until all are ready.
     *
     * @param configuration of a stage, given its index and where the others listen
     */
    void configure(BiFunction<Integer, Addresses, StageConfiguration> configuration)
            throws IOException, RunFailedException, InterruptedException {
        Map<Integer, StageMessage> listening = gather(StageMessage.Listening.class, begin("join the run"), index -> {});
        String last = address(stages - 1, listening);
        for (int stage = 0; stage < stages; stage++) {
            String next = stage + 1 < stages ? address(stage + 1, listening) : "";
            connections.tell(stage, new StageMessage.Configure(configuration.apply(stage, new Addresses(next, last))));
        }
        gather(StageMessage.Ready.class, begin("be ready to train"), index -> {});
    }

    /**
     * Where other stages listen, as host and port; empty if in the same process.
     *
     * @param next of the stage after; empty on the last stage
     * @param last of the last stage
     */
    record Addresses(String next, String last) {}

    private String address(int stage, Map<Integer, StageMessage> listening) {
        return listening.get(stage) instanceof StageMessage.Listening at && at.port() > 0
                ? "%s:%d".formatted(connections.addressOf(stage).getHostAddress(), at.port())
                : "";
    }

    /** Stages wait for each other: an idle one waits for another one, which makes progress. */
    private StartWait begin(String goal) {
        return services.programs()
                .watch()
                .begin(hosts.stream().map(StageHost::starting).toList(), goal);
    }

    /** Makes all stages train on a window, and waits until the part of each is on disk. */
    List<StageMessage.Flushed> train(StageMessage.Train window, LongConsumer listener)
            throws IOException, RunFailedException, InterruptedException {
        for (int stage = 0; stage < stages; stage++) {
            tell(stage, window);
        }
        return gather(StageMessage.Flushed.class, null, listener).values().stream()
                .map(StageMessage.Flushed.class::cast)
                .toList();
    }

    private void tell(int stage, StageMessage message) throws RunFailedException, InterruptedException, IOException {
        try {
            connections.tell(stage, message);
        } catch (IOException gone) {
            throw failed(new StageEvent.Gone(stage, String.valueOf(gone.getMessage())));
        }
    }

    /** Waits until every stage has sent a message of this type. */
    private Map<Integer, StageMessage> gather(
            Class<? extends StageMessage> type, @Nullable StartWait start, LongConsumer listener)
            throws IOException, RunFailedException, InterruptedException {
        Map<Integer, StageMessage> gathered = new TreeMap<>();
        while (gathered.size() < stages) {
            Optional<StageEvent> event = connections.next(LOOK);
            if (event.isEmpty()) {
                requireAlive();
                if (start != null) {
                    start.look();
                }
                continue;
            }
            if (event.get() instanceof StageEvent.Said said) {
                if (type.isInstance(said.message())) {
                    gathered.put(said.stage(), said.message());
                    if (start != null) {
                        arrivedOf(gathered.keySet()).forEach(host -> start.arrived(host.starting()));
                    }
                    continue;
                }
                if (said.message() instanceof StageMessage.Progress progress) {
                    listener.accept(progress.microBatch());
                    continue;
                }
            }
            throw failed(event.get());
        }
        return gathered;
    }

    private List<StageHost> arrivedOf(Set<Integer> present) {
        return hosts.stream().filter(host -> present.containsAll(host.stages())).toList();
    }

    private void requireAlive() throws IOException, RunFailedException, InterruptedException {
        services.requireAlive();
        for (StageHost host : hosts) {
            if (host.hasEnded(Duration.ZERO)) {
                throw failed(new StageEvent.Gone(host.stages().get(0), "its program ended"));
            }
        }
    }

    /** Finds out which stage failed first, and describes it in one sentence. */
    private RunFailedException failed(StageEvent first) throws IOException, InterruptedException {
        List<StageEvent> events = new ArrayList<>(List.of(first));
        long end = System.nanoTime() + AFTERMATH.toNanos();
        Optional<StageHost> dead = silentlyDead(events);
        while (dead.isEmpty() && culprit(events).isEmpty() && System.nanoTime() < end) {
            connections.next(LOOK).ifPresent(events::add);
            dead = silentlyDead(events);
        }
        OptionalInt culprit = culprit(events);
        if (culprit.isPresent()) {
            return RunFailedException.remote(
                    "stage %d failed: %s".formatted(culprit.getAsInt(), reason(events, culprit.getAsInt())));
        }
        if (dead.isPresent()) {
            return RunFailedException.remote("%s died (%s)"
                    .formatted(name(dead.get().stages()), dead.get().describeEnd()));
        }
        return RunFailedException.remote("stage %d failed: %s".formatted(first.stage(), describe(first)));
    }

    private static String name(Collection<Integer> stages) {
        return stages.size() == 1
                ? "stage %d".formatted(stages.iterator().next())
                : "the program of stages %s".formatted(stages);
    }

    /** A program that ended without a message: killed from outside, or for its memory. */
    private Optional<StageHost> silentlyDead(List<StageEvent> events) throws IOException, InterruptedException {
        for (StageHost host : hosts) {
            boolean hasSpoken = events.stream()
                    .anyMatch(event -> host.stages().contains(event.stage())
                            && event instanceof StageEvent.Said said
                            && said.message() instanceof StageMessage.Failed);
            if (!hasSpoken && host.hasEnded(Duration.ZERO)) {
                return Optional.of(host);
            }
        }
        return Optional.empty();
    }

    private static OptionalInt culprit(List<StageEvent> events) {
        return events.stream()
                .filter(event -> event instanceof StageEvent.Said said
                        && said.message() instanceof StageMessage.Failed failed
                        && !failed.isConsequence())
                .mapToInt(StageEvent::stage)
                .findFirst();
    }

    private static String reason(List<StageEvent> events, int stage) {
        return events.stream()
                .filter(event -> event.stage() == stage)
                .map(StageCrew::describe)
                .findFirst()
                .orElse("");
    }

    private static String describe(StageEvent event) {
        if (event instanceof StageEvent.Said said) {
            return said.message() instanceof StageMessage.Failed failed
                    ? failed.reason()
                    : "it sent %s, which was not requested"
                            .formatted(said.message().getClass().getSimpleName());
        }
        return ((StageEvent.Gone) event).how();
    }

    /** Notifies all stages that the run is over, and waits for their ends. */
    void end() throws IOException, InterruptedException {
        for (int stage = 0; stage < stages; stage++) {
            connections.tell(stage, new StageMessage.End());
        }
        for (StageHost host : hosts) {
            boolean unused = host.hasEnded(END_LIMIT);
        }
    }

    /** Ends all programs that still run. */
    @Override
    public void close() throws IOException {
        try {
            for (StageHost host : hosts) {
                host.end();
            }
        } catch (InterruptedException interrupted) {
            // The groups of programs and containers end the remaining ones.
            Thread.currentThread().interrupt();
        }
        hosts.clear();
    }
}
