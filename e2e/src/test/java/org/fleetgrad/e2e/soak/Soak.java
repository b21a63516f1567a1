package org.fleetgrad.e2e.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;

/** Both services, the workers and those who ask, for as long as the plan says. */
final class Soak implements AutoCloseable {

    private static final int ASKERS = 2;
    private static final double MOST_ANSWERS = 0.99;

    private final SoakPlan plan;
    private final SoakTally tally;
    private final SoakedProgram server;
    private final SoakedProgram inference;
    private final PsClient client;
    private final Workforce workforce;
    private final Latencies latencies = new Latencies();
    private final List<Asker> askers = new ArrayList<>();
    private final Vitals ofServer;
    private final Vitals ofInference;

    /** @param folder for the server's run and the logs */
    Soak(SoakPlan plan, SoakTally tally, Path folder) {
        this.plan = plan;
        this.tally = tally;
        this.server = new SoakedProgram(
                "ps-service",
                folder,
                Map.of(
                        "PS_DURABILITY_MODE",
                        "journal",
                        "PS_DURABILITY_LOCATION",
                        folder.resolve("run").toString(),
                        "PS_OPTIMIZER",
                        "sgd",
                        "PS_LEARNINGRATE",
                        Float.toString(SoakedModel.LEARNING_RATE)));
        this.inference = new SoakedProgram(
                "inference-api",
                folder,
                Map.of("INFERENCE_SERVER", server.address().toString()));
        this.client = new PsClient(server.address(), ClientOptions.DEFAULT);
        this.workforce = new Workforce(server.address(), tally);
        this.ofServer = new Vitals(plan.half());
        this.ofInference = new Vitals(plan.half());
        for (int i = 0; i < ASKERS; i++) {
            askers.add(new Asker(inference, tally, latencies));
        }
    }

    void run() throws IOException, InterruptedException {
        server.start(serverIsUp());
        Object unused = client.putInitial(SoakedModel.initial());
        inference.start(inferenceIsUp());
        workforce.start();
        askers.forEach(Asker::start);

        killAgainAndAgain(server, serverIsUp(), inference, ofInference);
        System.out.printf("soak: the half of ps-service's kills is over: inference-api %s%n", ofInference);
        killAgainAndAgain(inference, inferenceIsUp(), server, ofServer);
        System.out.printf("soak: the half of inference-api's kills is over: ps-service %s%n", ofServer);

        for (Asker asker : askers) {
            asker.finish();
        }
        workforce.finish();
        compare("at the end");
        restart(server, serverIsUp());
        compare("after one more kill");
        System.out.println("soak: " + tally);
    }

    private Callable<Boolean> serverIsUp() {
        PsClient impatient = new PsClient(server.address(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        return () -> impatient.version() != null;
    }

    private Callable<Boolean> inferenceIsUp() {
        return askers.get(0)::isAnswered;
    }

    /** Kills one program for half of the time, and looks at the other, which must live. */
    private void killAgainAndAgain(SoakedProgram killed, Callable<Boolean> isUp, SoakedProgram living, Vitals vitals)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long killedAt = begin;
        while (System.nanoTime() - begin < plan.half().toNanos()) {
            TimeUnit.MILLISECONDS.sleep(plan.betweenSamples().toMillis());
            killed.requireAlive();
            living.requireAlive();
            vitals.add(living.sample(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
            if (System.nanoTime() - killedAt >= plan.betweenKills().toNanos()) {
                killedAt = System.nanoTime();
                restart(killed, isUp);
            }
        }
    }

    private void restart(SoakedProgram program, Callable<Boolean> isUp) throws IOException, InterruptedException {
        program.kill();
        tally.killed();
        program.start(isUp);
    }

    /** Compares what the workers were told with what the server serves. */
    private void compare(String when) throws IOException {
        Pulled pulled = (Pulled) client.pull();
        float[] served = pulled.parameters().toFloats(SoakedModel.LAYOUT);
        long abandoned = 0;
        for (int desk = 0; desk < Workforce.DESKS; desk++) {
            tally.counted(desk, tally.acknowledgedOf(desk), SoakedModel.count(served, desk), when);
            long own = SoakedModel.count(served, Workforce.DESKS + desk);
            tally.countedOfAbandoned(desk, own, when);
            abandoned += own;
        }
        long told = tally.pushes() + abandoned;
        long samples = client.status().samples();
        if (samples != told) {
            tally.missed(told - samples, "%s the server counts %d samples of %d pushes".formatted(when, samples, told));
        }
    }

    /** Returns what grew, and should not. */
    List<String> growth() {
        List<String> grown = new ArrayList<>();
        Map.of("ps-service", ofServer, "inference-api", ofInference).forEach((program, vitals) -> {
            if (!vitals.descriptors().equals("flat") || !vitals.threads().equals("flat")) {
                grown.add("%s: %s".formatted(program, vitals));
            }
        });
        return grown;
    }

    private static String worse(String one, String other) {
        return one.equals("flat") ? other : one;
    }

    /** Returns the last line of the suite's output: of each figure the worse of the two programs. */
    @Override
    public String toString() {
        return "soak: minutes=%d kills=%d pushes=%d lost=%d doubled=%d heapSlopeMiBPerHour=%.1f p99Ms=%.1f fds=%s threads=%s"
                .formatted(
                        plan.length().toMinutes(),
                        tally.kills(),
                        tally.pushes(),
                        tally.lost(),
                        tally.doubled(),
                        Math.max(ofServer.heapSlope(), ofInference.heapSlope()),
                        latencies.millis(MOST_ANSWERS),
                        worse(ofServer.descriptors(), ofInference.descriptors()),
                        worse(ofServer.threads(), ofInference.threads()));
    }

    @Override
    public void close() {
        server.close();
        inference.close();
    }
}
