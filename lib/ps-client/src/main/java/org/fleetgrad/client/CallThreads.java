package org.fleetgrad.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Calls several servers in parallel, in threads. Idle threads end by themselves. */
final class CallThreads implements ParallelCalls {

    private static final long IDLE_SECONDS = 10;
    private static final long STACK_BYTES = 256 << 10;

    private final ExecutorService threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                // A worker with 256 MB has no memory for stacks of 1 MB.
                Thread thread = new Thread(null, work, "parameter-servers", STACK_BYTES);
                thread.setDaemon(true);
                return thread;
            });

    @Override
    public <T> List<T> each(int begin, int end, Call<T> call) throws IOException {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = begin; i < end; i++) {
            int index = i;
            tasks.add(new FutureTask<>(() -> call.of(index)));
        }
        tasks.stream().skip(1).forEach(threads::execute);
        tasks.stream().limit(1).forEach(FutureTask::run);
        List<T> results = new ArrayList<>();
        IOException failure = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(await(task));
            } catch (IOException failed) {
                failure = failure == null ? failed : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    private static <T> T await(Future<T> call) throws IOException {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException away) {
                throw away;
            }
            if (failed.getCause() instanceof Error broken) {
                throw broken;
            }
            throw (RuntimeException) failed.getCause();
        } catch (InterruptedException interrupted) {
            boolean unused = call.cancel(true);
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("a call of several servers was interrupted", interrupted);
        }
    }
}
