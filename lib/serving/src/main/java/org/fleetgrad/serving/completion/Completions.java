package org.fleetgrad.serving.completion;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.serving.Decoders;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.CompletionsFull;
import org.fleetgrad.serving.VersionLease;
import org.fleetgrad.serving.completion.CompletionStart.Begun;
import org.fleetgrad.serving.completion.CompletionStart.Invalid;
import org.fleetgrad.serving.completion.CompletionStart.Refused;
import org.fleetgrad.serving.completion.CompletionStart.Unfit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues texts with a {@link LiveModel}. A few threads compute for all completions: each computes one token, or a few of the
 * prompt, of the first in the queue, which then goes to its end, so all completions get their tokens at the same rate. No
 * thread waits for a client. Thread-safe.
 */
public final class Completions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);
    private static final long IDLE_SECONDS = 10;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final LiveModel model;
    private final CompletionLimits limits;
    private final CompletionMemory memory;
    private final LongConsumer betweenTokens;
    private final ExecutorService threads;
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder tokens = new LongAdder();
    private volatile boolean isClosed;

    /**
     * Makes a service without completions.
     *
     * @param betweenTokens receives the nanoseconds between two tokens of a completion
     */
    public Completions(LiveModel model, CompletionLimits limits, LongConsumer betweenTokens) {
        this.model = model;
        this.limits = limits;
        this.memory = new CompletionMemory(limits);
        this.betweenTokens = betweenTokens;
        this.threads = threads(limits.threads());
    }

    /** The threads are started on demand, and end after an idle time. */
    private static ExecutorService threads(int count) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "completions");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Begins a completion, unless the request is wrong or there is no room.
     *
     * @param listener receives its text, perhaps before this returns
     */
    public CompletionStart begin(CompletionRequest request, CompletionListener listener) {
        if (isClosed) {
            return new Refused(new Closing());
        }
        VersionLease lease = model.lease(request.wanted()).orElse(null);
        if (lease == null) {
            return new Refused(model.refusal(request.wanted()));
        }
        CompletionStart start;
        try {
            start = begin(request, listener, lease);
        } catch (RuntimeException | Error failure) {
            lease.close();
            throw failure;
        }
        if (!(start instanceof Begun)) {
            lease.close();
        }
        return start;
    }

    private CompletionStart begin(CompletionRequest request, CompletionListener listener, VersionLease lease) {
        String network = lease.network().name();
        Optional<Decoders> decoders = lease.decoders();
        if (decoders.isEmpty()) {
            return new Unfit("the network %s takes %s: it does not continue texts"
                    .formatted(network, lease.network().task().samples()));
        }
        Optional<Tokenizer> tokenizer = lease.tokenizer();
        if (tokenizer.isEmpty()) {
            return new Unfit("the parameter set %s states no tokenizer in its metadata".formatted(lease.version()));
        }
        if (!tokenizer.get().isComplete()) {
            return new Unfit(
                    "the parameter set %s is of %s, of which this service has no file: the test shard of its dataset has it (inference.test-shard)"
                            .formatted(lease.version(), tokenizer.get()));
        }
        int[] prompt;
        try {
            prompt = tokenizer.get().encode(request.prompt());
        } catch (IllegalArgumentException unknown) {
            return new Invalid("the prompt cannot be read: " + unknown.getMessage());
        }
        if (prompt.length < 1 || prompt.length > limits.promptTokens()) {
            return new Invalid(
                    "a prompt has 1 to %d tokens; it has %d".formatted(limits.promptTokens(), prompt.length));
        }
        long cache = decoders.get().bytes(RunningCompletion.mostTokens(prompt.length, request));
        if (!memory.fitsAlone(lease, cache)) {
            return new Invalid(
                    "the completion takes %d bytes for its version and %d for its cache; completions take %d at most"
                            .formatted(lease.bytes(), cache, limits.bytes()));
        }
        Optional<CompletionsFull> full = memory.take(lease, cache);
        if (full.isPresent()) {
            refused.increment();
            return new Refused(full.get());
        }
        RunningCompletion completion = new RunningCompletion(model, memory, request, listener, lease, prompt, cache);
        try {
            threads.execute(() -> turn(completion));
        } catch (RejectedExecutionException closed) {
            completion.close();
            return new Refused(new Closing());
        }
        begun.increment();
        return new Begun(completion);
    }

    private void turn(RunningCompletion completion) {
        CompletionEnd end = null;
        Throwable failure = null;
        if (!completion.isCancelled() && !isClosed) {
            try {
                long before = completion.lastNanos();
                int chosen = completion.chosen();
                end = completion.turn();
                if (completion.chosen() > chosen) {
                    tokens.increment();
                    if (chosen > 0) {
                        betweenTokens.accept(completion.lastNanos() - before);
                    }
                }
                if (end == null) {
                    threads.execute(() -> turn(completion));
                    return;
                }
            } catch (RuntimeException | Error thrown) {
                failure = thrown;
            }
        }
        finish(completion, end, failure);
    }

    private static void finish(RunningCompletion completion, @Nullable CompletionEnd end, @Nullable Throwable failure) {
        try {
            completion.close();
            if (completion.isCancelled()) {
                return;
            }
            if (failure != null) {
                LOG.error("a completion failed", failure);
                completion.listener().failed(failure);
            } else if (end != null) {
                completion.listener().end(end);
            } else {
                completion.listener().refused(new Closing());
            }
        } catch (RuntimeException bug) {
            LOG.error("a completion did not end well", bug);
        }
    }

    /** Returns the number of completions now. */
    public int running() {
        return memory.running();
    }

    /** Returns the bytes that they take now: their caches, and the versions that they lease. */
    public long bytes() {
        return memory.bytes();
    }

    /** Returns how many began so far. */
    public long begun() {
        return begun.sum();
    }

    /** Returns how many found no room so far. */
    public long refused() {
        return refused.sum();
    }

    /** Returns the number of tokens so far. */
    public long tokens() {
        return tokens.sum();
    }

    /** Ends all completions before their next token, and returns once they are freed. */
    @Override
    public void close() {
        isClosed = true;
        if (!memory.awaitNone(CLOSE_TIMEOUT)) {
            LOG.warn("{} completions did not end within {}", memory.running(), CLOSE_TIMEOUT);
        }
        threads.shutdown();
    }
}
