package org.fleetgrad.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.load.question.PredictResponseReader;
import org.fleetgrad.load.question.Questions;
import org.fleetgrad.load.result.LoadRecorder;
import org.fleetgrad.load.result.LoadResult;
import org.fleetgrad.load.result.LoadRow;
import org.jspecify.annotations.Nullable;

/**
 * Runs the phases of a load, one after the other. A client's connection is opened before its first phase and lives until the
 * end. Any thread may call {@link #stop} and {@link #result}; one thread calls {@link #run}.
 */
public final class LoadRun implements AutoCloseable {

    private static final long GRACE_MS = 2_000;
    private static final long LOOK_MS = 200;

    private final LoadSettings settings;
    private final List<PredictClient> predictClients = new ArrayList<>();
    private final List<LoadClient> clients = new ArrayList<>();
    private final LoadRecorder recorder;
    private final LoadClient.Times times;
    private volatile @Nullable ArrivalSchedule schedule;
    private volatile boolean isStopped;
    private volatile int phase;

    /** Prepares a run of requests to {@code POST /predict}. */
    public LoadRun(
            LoadSettings settings,
            LoadRequests requests,
            IntFunction<? extends PredictClient> predictClients,
            LoadClock clock,
            double beginMs,
            Consumer<LoadRow> sink) {
        this(settings, new PredictResponseReader(requests), predictClients, clock, beginMs, sink);
    }

    /**
     * Prepares a run; nothing is opened yet.
     *
     * @param predictClients makes the connection of each client
     * @param beginMs        the time of day, in ms since 1970
     * @param sink           gets each request
     */
    public LoadRun(
            LoadSettings settings,
            Questions questions,
            IntFunction<? extends PredictClient> predictClients,
            LoadClock clock,
            double beginMs,
            Consumer<LoadRow> sink) {
        this.settings = settings;
        this.recorder = new LoadRecorder(beginMs, sink);
        this.times = new LoadClient.Times(clock, clock.nanos(), beginMs);
        for (int i = 0; i < settings.mostClients(); i++) {
            PredictClient predictClient = predictClients.apply(i);
            this.predictClients.add(predictClient);
            clients.add(new LoadClient(i, predictClient, questions, settings.feedback(), recorder, times));
        }
    }

    /** Opens the connections of the first phase. @throws IOException at the first one that cannot be opened */
    public void connect() throws IOException {
        connect(0);
    }

    private void connect(int number) throws IOException {
        for (PredictClient predictClient :
                predictClients.subList(0, settings.clients().get(number))) {
            predictClient.connect();
        }
    }

    /** Runs all phases, or until {@link #stop}; the watch looks several times a second. */
    public void run(Consumer<LoadRun> watch) throws InterruptedException {
        for (int i = 0; i < settings.clients().size() && !isStopped; i++) {
            phase = i;
            try {
                connect(i);
            } catch (IOException away) {
                // Each request tries to connect again, and is counted as failed.
            }
            runPhase(i, watch);
        }
    }

    private void runPhase(int number, Consumer<LoadRun> watch) throws InterruptedException {
        ArrivalSchedule mine =
                new ArrivalSchedule(times.clock(), times.clock().nanos(), settings.requests(), settings.rate());
        schedule = mine;
        if (isStopped) {
            mine.stop();
        }
        List<Thread> threads = new ArrayList<>();
        for (LoadClient client : clients.subList(0, settings.clients().get(number))) {
            Thread thread = new Thread(() -> client.work(number, mine), "load-client");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        long stoppedAt = 0;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                thread.join(LOOK_MS);
                watch.accept(this);
                if (mine.isStopped()) {
                    // Clients that wait for a due time wake up; those that wait for a response get a grace period.
                    threads.forEach(Thread::interrupt);
                    stoppedAt = stoppedAt == 0 ? System.nanoTime() : stoppedAt;
                    if ((System.nanoTime() - stoppedAt) / 1_000_000 > GRACE_MS) {
                        predictClients.forEach(PredictClient::close);
                    }
                }
            }
        }
    }

    /** Starts no further request; {@link #run} returns soon. */
    public void stop() {
        isStopped = true;
        ArrivalSchedule now = schedule;
        if (now != null) {
            now.stop();
        }
    }

    /** Returns the phase that runs, from 0. */
    public int phase() {
        return phase;
    }

    public LoadRecorder recorder() {
        return recorder;
    }

    /** Returns what has happened so far. */
    public LoadResult result() {
        return recorder.result();
    }

    /** Returns how many connections were opened: one for each client, unless the server ended some. */
    public long connections() {
        return predictClients.stream().mapToLong(PredictClient::connections).sum();
    }

    @Override
    public void close() {
        predictClients.forEach(PredictClient::close);
    }
}
