package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.TrainingRun;

/**
 * The exchange of gradients with servers that have a partition each, as messages that arrive late, twice or never,
 * between workers that die and servers that are killed. Each gradient adds 1 to its own value at every server, so the
 * served values show how often each gradient counts where.
 */
final class ExchangeModel implements AutoCloseable {

    /** Maximum gradients of a run. */
    static final int GRADIENTS = 48;

    private static final List<String> WORKERS = List.of("a", "b", "c");

    private final Path folder;
    private final Random random;
    private final List<DurableRun> disks = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    private final List<TrainingRun> servers = new ArrayList<>();
    private final Map<String, Worker> workers = new HashMap<>();
    private final List<Message> sent = new ArrayList<>();
    private final Set<Integer> acknowledged = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private int gradients;
    private int copies;

    /** A request to a server, which may be delivered at any time, and again. */
    private interface Message {
        SubmissionResult<PushOutcome> deliver();
    }

    /** A worker's gradient in flight. */
    private static final class Worker {
        private final String id;
        private long sequence;
        private int gradient = -1;
        private boolean isTaken;
        private final List<Integer> unstaged = new ArrayList<>();
        private final List<Integer> uncommitted = new ArrayList<>();

        Worker(String id, long sequence) {
            this.id = id;
            this.sequence = sequence;
        }
    }

    ExchangeModel(Path folder, int partitions, long seed) {
        this.folder = folder;
        this.random = new Random(seed);
        TrainingSettings settings = TrainingRun.plain(new TrainingMode.Async(1), 64);
        for (int i = 0; i < partitions; i++) {
            disks.add(new DurableRun(settings));
            folders.add(folder.resolve("server-" + i));
            servers.add(disks.get(i).open(DurableRun.JOURNAL, folders.get(i)).startingAt(new float[GRADIENTS]));
        }
    }

    /** Performs a random possible event. */
    void act() {
        int what = random.nextInt(100);
        String worker = WORKERS.get(random.nextInt(WORKERS.size()));
        if (what < 65) {
            continueFrom(worker, random.nextInt(20) == 0);
        } else if (what < 72) {
            // Its process dies; another one of this name begins once its lease has run out.
            workers.remove(worker);
        } else if (what < 84 && !sent.isEmpty()) {
            SubmissionResult<PushOutcome> unused =
                    sent.get(random.nextInt(sent.size())).deliver();
        } else if (what < 90) {
            settleGone(1 + random.nextInt(servers.size() - 1));
        } else if (what < 95) {
            kill(random.nextInt(servers.size()));
        } else {
            passLease();
        }
    }

    /** Lets all leases expire and decides the remaining gradients; then all servers must agree on every gradient. */
    void finishAndCheck(String history) {
        workers.clear();
        passLease();
        for (int i = 1; i < servers.size(); i++) {
            settleGone(i);
            assertThat(servers.get(i).training().staged()).as(history).isEmpty();
        }
        float[] lead = servers.get(0).values();
        for (int k = 0; k < GRADIENTS; k++) {
            assertThat(lead[k]).as("gradient %d at the lead, %s", k, history).isIn(0f, 1f);
            if (acknowledged.contains(k)) {
                assertThat(lead[k])
                        .as("acknowledged gradient %d, %s", k, history)
                        .isEqualTo(1f);
            }
            if (refused.contains(k)) {
                assertThat(lead[k]).as("refused gradient %d, %s", k, history).isZero();
            }
        }
        for (TrainingRun server : servers) {
            assertThat(server.values()).as(history).containsExactly(lead);
        }
    }

    int counted() {
        float[] lead = servers.get(0).values();
        return (int) IntStream.range(0, GRADIENTS).filter(k -> lead[k] == 1f).count();
    }

    /** Performs the next step of a worker's push. If the message is lost, the worker dies. */
    private void continueFrom(String id, boolean isLost) {
        Worker worker = workers.get(id);
        if (worker == null) {
            begin(id);
            return;
        }
        if (worker.gradient < 0) {
            beginGradient(worker);
            return;
        }
        Optional<Integer> stage = any(worker.unstaged);
        Optional<Integer> commit = worker.isTaken ? any(worker.uncommitted) : Optional.empty();
        Message message;
        if (stage.isPresent()) {
            message = stage(stage.get(), id, worker.sequence, worker.gradient);
        } else if (!worker.isTaken) {
            message = push(id, worker.sequence, worker.gradient);
        } else {
            message = commit(commit.orElseThrow(), id, worker.sequence);
        }
        sent.add(message);
        if (isLost) {
            workers.remove(id);
            return;
        }
        PushOutcome outcome = TrainingRun.outcome(message.deliver());
        if (stage.isPresent()) {
            staged(worker, stage.get(), outcome);
        } else if (!worker.isTaken) {
            pushed(worker, outcome);
        } else {
            assertThat(isTaken(outcome)).as("%s of a staged gradient", outcome).isTrue();
            worker.uncommitted.remove(commit.orElseThrow());
            if (worker.uncommitted.isEmpty()) {
                acknowledged.add(worker.gradient);
                worker.gradient = -1;
            }
        }
    }

    private void staged(Worker worker, int server, PushOutcome outcome) {
        if (outcome instanceof PushOutcome.Staged || outcome instanceof PushOutcome.Duplicate) {
            worker.unstaged.remove(Integer.valueOf(server));
        } else if (is(outcome, PushOutcome.Reason.UNSETTLED_GRADIENT)) {
            seal(server, worker.id, true);
        } else if (is(outcome, PushOutcome.Reason.UNKNOWN_WORKER)) {
            register(server, worker.id);
        } else {
            drop(worker);
        }
    }

    private void pushed(Worker worker, PushOutcome outcome) {
        if (isTaken(outcome)) {
            worker.isTaken = true;
        } else if (is(outcome, PushOutcome.Reason.UNKNOWN_WORKER)) {
            register(0, worker.id);
        } else {
            drop(worker);
        }
    }

    private void drop(Worker worker) {
        refused.add(worker.gradient);
        for (int i = 1; i < servers.size(); i++) {
            tell(i, worker.id, worker.sequence, false);
        }
        worker.gradient = -1;
    }

    private static boolean isTaken(PushOutcome outcome) {
        return outcome instanceof PushOutcome.Applied || outcome instanceof PushOutcome.Duplicate;
    }

    private static boolean is(PushOutcome outcome, PushOutcome.Reason reason) {
        return outcome instanceof PushOutcome.Refused refusal && refusal.reason() == reason;
    }

    private void begin(String id) {
        if (servers.get(0).leases().isLive(id)) {
            return;
        }
        long highest = 0;
        for (int i = 0; i < servers.size(); i++) {
            register(i, id);
            highest = Math.max(highest, servers.get(i).training().highestSequence(id));
        }
        workers.put(id, new Worker(id, highest));
    }

    private void beginGradient(Worker worker) {
        if (gradients == GRADIENTS) {
            return;
        }
        worker.sequence++;
        worker.gradient = gradients++;
        worker.isTaken = false;
        worker.unstaged.clear();
        worker.uncommitted.clear();
        for (int i = 1; i < servers.size(); i++) {
            worker.unstaged.add(i);
            worker.uncommitted.add(i);
        }
    }

    private void register(int server, String id) {
        servers.get(server).withWorkers(id);
        servers.get(server).advance(Duration.ZERO);
    }

    private Optional<Integer> any(List<Integer> of) {
        return of.isEmpty() ? Optional.empty() : Optional.of(of.get(random.nextInt(of.size())));
    }

    private Message stage(int server, String id, long sequence, int gradient) {
        GradientMetadata metadata =
                TrainingRun.metadata(id, sequence, training(server).generation(), 0, 1);
        return () ->
                training(server).stage(new Gradient(metadata, values(gradient))).join();
    }

    private Message push(String id, long sequence, int gradient) {
        GradientMetadata metadata =
                TrainingRun.metadata(id, sequence, training(0).generation(), 0, 1);
        return () -> training(0).push(new Gradient(metadata, values(gradient))).join();
    }

    private Message commit(int server, String id, long sequence) {
        return () -> training(server).commit(id, sequence).join();
    }

    private static float[] values(int gradient) {
        float[] values = new float[GRADIENTS];
        values[gradient] = -1 / TrainingRun.LEARNING_RATE;
        return values;
    }

    private Training training(int server) {
        return servers.get(server).training();
    }

    private void settleGone(int server) {
        for (GradientMetadata staged : training(server).staged()) {
            if (!servers.get(server).leases().isLive(staged.worker())) {
                seal(server, staged.worker(), false);
            }
        }
    }

    private void seal(int server, String id, boolean isOwn) {
        for (GradientMetadata staged : training(server).staged()) {
            if (staged.worker().equals(id)) {
                boolean isOver = isOwn || !servers.get(0).leases().isLive(id);
                PushOutcome said = TrainingRun.outcome(
                        training(0).outcomeOf(id, staged.sequence(), isOver).join());
                if (!(said instanceof PushOutcome.Undecided)) {
                    tell(server, id, staged.sequence(), said instanceof PushOutcome.Duplicate);
                }
            }
        }
    }

    /** Relays the lead's decision to a server; sometimes the message is lost. */
    private void tell(int server, String id, long sequence, boolean counts) {
        Message message = counts
                ? commit(server, id, sequence)
                : () -> training(server).drop(id, sequence).join();
        sent.add(message);
        SubmissionResult<PushOutcome> unused = message.deliver();
    }

    private void kill(int server) {
        Path copy = DurableRun.copy(folders.get(server), folder.resolve("copy-" + copies++));
        servers.get(server).close();
        folders.set(server, copy);
        servers.set(server, disks.get(server).open(DurableRun.JOURNAL, copy));
    }

    private void passLease() {
        servers.forEach(server -> server.advance(TrainingRun.LEASE.plusSeconds(1)));
    }

    @Override
    public void close() {
        servers.forEach(TrainingRun::close);
    }
}
