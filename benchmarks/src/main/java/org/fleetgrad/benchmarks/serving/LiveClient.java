package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.libtorch.Network.NetworkReader;

/**
 * A client that sends one request after the other to the trained tensors, in a thread of its own, while they are
 * trained.
 */
final class LiveClient implements AutoCloseable {

    /**
     * A response from the trained tensors, and what it says of itself.
     *
     * @param version the version that was loaded when it began
     * @param until   the newest version whose load had begun when it was complete
     * @param image   the first image that it is about
     * @param logits  of all its images
     */
    record Answer(long version, long until, int image, float[] logits) {

        /** Returns whether a load came between: only then may it be torn. */
        boolean isOverlapped() {
            return until != version;
        }
    }

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final NetworkReader reader;
    private final HeldOut heldOut;
    private final int images;
    private final RandomGenerator random;
    private volatile long loaded;
    private volatile long begun;
    private volatile boolean isStopped;

    /**
     * @param reader closed with the client
     * @param images of each question
     */
    LiveClient(NetworkReader reader, HeldOut heldOut, int images, RandomGenerator random) {
        this.reader = reader;
        this.heldOut = heldOut;
        this.images = images;
        this.random = random;
    }

    /** Loads a version, in the training's thread. */
    void load(long version, Runnable loading) {
        begun = version;
        loading.run();
        loaded = version;
    }

    /** Asks until {@link #stop}. A version must be loaded. */
    Future<List<Answer>> start() {
        isStopped = false;
        return thread.submit(this::ask);
    }

    private List<Answer> ask() {
        List<Answer> answers = new ArrayList<>();
        while (!isStopped) {
            int image = random.nextInt(heldOut.count() - images + 1);
            float[] question = heldOut.part(image, images).images();
            long version = loaded;
            float[] logits = reader.logits(question, images);
            // Read last: a load that began before the pass ended is known by now.
            answers.add(new Answer(version, begun, image, logits));
        }
        return answers;
    }

    List<Answer> stop(Future<List<Answer>> asking) throws InterruptedException, ExecutionException {
        isStopped = true;
        return asking.get();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        reader.close();
    }
}
