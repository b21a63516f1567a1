package org.fleetgrad.openwhisk.fake;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs activations in containers, one at a time in each, within their time limits. Reuses an idle container of the same action.
 * What a real invoker does (core/containerpool/ContainerProxy.scala): if a warm container cannot be reached, the activation runs
 * again, under the same id and with the same parameters, in another container ("Ready warm container unhealthy, will retry
 * activation"). A standalone treats a container that closes the connection without a response in the same way
 * (retryNoHttpResponseException of ApacheBlockingContainerClient.scala), though the activation may have run. The record
 * describes only the last try.
 */
final class FakeInvoker implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool(FakeOpenWhisk::daemon);
    private final ContainerPool pool;
    private final ContainerHost host;
    private final String apiHost;
    private final int longestResult;
    private final boolean isRetryingSilence;
    private final boolean isKeepingLogs;

    FakeInvoker(FakeSettings settings, ContainerHost host, String apiHost) {
        this.pool = new ContainerPool(settings.poolMib(), settings.pauseGrace());
        this.host = host;
        this.apiHost = apiHost;
        this.longestResult = settings.payloadBytes();
        this.isRetryingSilence = settings.isRetryingSilence();
        this.isKeepingLogs = settings.isKeepingLogs();
    }

    void submit(RunningActivation activation) {
        threads.execute(() -> run(activation));
    }

    private void run(RunningActivation activation) {
        try {
            while (!hasRun(activation)) {
                // The container was shutting down: as OpenWhisk does, gives the activation to another container, as
                // often as needed.
                Thread.onSpinWait();
            }
        } catch (InterruptedException closed) {
            end(activation, ActionResponse.whiskError("the invoker is closed"), System.currentTimeMillis());
        } catch (RuntimeException bug) {
            end(activation, ActionResponse.whiskError("the invoker failed: " + bug), System.currentTimeMillis());
        }
    }

    /** Runs the activation in one container; returns whether it has ended. */
    private boolean hasRun(RunningActivation activation) throws InterruptedException {
        PooledContainer container = pool.take(activation);
        long start = System.currentTimeMillis();
        boolean isWarm = container.isStarted();
        OptionalLong initMillis = OptionalLong.empty();
        if (isWarm) {
            container.resume();
        } else {
            ContainerReply init;
            try {
                init = container.start(host, apiHost, activation);
            } catch (IOException notStarted) {
                pool.destroy(container);
                end(activation, ActionResponse.whiskError("Failed to provision resources to run the action."), start);
                return true;
            }
            initMillis = OptionalLong.of(System.currentTimeMillis() - start);
            if (!isReady(init)) {
                List<String> logs = container.takeLogs();
                pool.destroy(container);
                if (!isGoing(init)) {
                    activation.end(failedInit(init, activation.action()), start, initMillis, kept(logs));
                }
                return !isGoing(init);
            }
        }
        ContainerReply run = container.run(activation);
        if (isGoing(run) || (isWarm && isRetried(run))) {
            pool.destroy(container);
            return false;
        }
        ActionResponse response = response(run, activation.action());
        List<String> logs = container.takeLogs();
        if (response.isDeadly()) {
            pool.destroy(container);
        } else {
            pool.giveBack(container);
        }
        activation.end(response, start, initMillis, kept(logs));
        return true;
    }

    private boolean isRetried(ContainerReply run) {
        return run instanceof ContainerReply.Absent || (isRetryingSilence && run instanceof ContainerReply.Silent);
    }

    private List<String> kept(List<String> logs) {
        return isKeepingLogs ? logs : List.of();
    }

    private static boolean isReady(ContainerReply init) {
        return init instanceof ContainerReply.Answered answered && answered.isReady();
    }

    private static boolean isGoing(ContainerReply reply) {
        return reply instanceof ContainerReply.Answered answered && answered.isGoing();
    }

    private static ActionResponse failedInit(ContainerReply reply, StoredAction action) {
        if (reply instanceof ContainerReply.Answered answered) {
            return answered.failedInit();
        }
        return reply instanceof ContainerReply.Late
                ? ActionResponse.timeout(action.timeLimit().toMillis(), true)
                : ActionResponse.developerError("The action did not initialize and exited unexpectedly.");
    }

    private ActionResponse response(ContainerReply reply, StoredAction action) {
        if (reply instanceof ContainerReply.Answered answered) {
            return answered.run(longestResult);
        }
        return reply instanceof ContainerReply.Late
                ? ActionResponse.timeout(action.timeLimit().toMillis(), false)
                : ActionResponse.developerError("The action did not produce a valid response and exited unexpectedly.");
    }

    private static void end(RunningActivation activation, ActionResponse response, long start) {
        activation.end(response, start, OptionalLong.empty(), List.of());
    }

    @Override
    public void close() {
        pool.close();
        threads.shutdownNow();
    }
}
