package org.fleetgrad.e2e.faults;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Calls that run concurrently with the test's. */
final class Background implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    interface Call<T> {
        T run() throws Exception;
    }

    <T> CompletableFuture<T> run(Call<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(call.run());
            } catch (Throwable failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
