package org.fleetgrad.serving;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.HeldVersions.Held;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionOutcome.NotHeld;
import org.fleetgrad.serving.PredictionOutcome.OtherForm;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model that answers predictions. It holds several versions, each in a replica of its own, and answers with the one that
 * the policy chooses, or with the one that a request names. While the next version loads, the others answer: no prediction
 * waits for a load, fails because of a swap, or mixes two versions. With the policy {@code latest} no client sees an older
 * version of a generation after a newer one. Thread-safe.
 *
 * <p>Each version names its network. After a version of a new network, only versions of that network stay held, and the one
 * that the policy chooses.
 */
public final class LiveModel implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveModel.class);
    private static final int MAX_LOGGED_LOGITS = 10;

    private final Classifiers classifiers;
    private final Function<ServedNetwork, ModelDescription> descriptions;
    private final ForwardPass pass;
    private final HeldLimit limit;
    /** Held for moments: a version that was just pinned must not be evicted. */
    private final Object choice = new Object();

    private final LongAdder answered = new LongAdder();
    private volatile VersionPolicy policy;
    private volatile HeldVersions held;
    private @Nullable Replica spare;
    private @Nullable ServedNetwork loggedNetwork;
    private boolean isClosed;

    /** Makes a model that holds two versions, and answers with the newest. */
    public LiveModel(
            Classifiers classifiers, Function<ServedNetwork, ModelDescription> descriptions, long memoryBytes) {
        this(classifiers, descriptions, memoryBytes, HeldLimit.LEAST, new VersionPolicy.Latest(), new HeldOutScores());
    }

    /**
     * Makes a model; opens no network before the first version arrives.
     *
     * @param classifiers  opens the instances of the network
     * @param descriptions returns the description for versions whose metadata states none
     * @param memoryBytes  memory that images may take while the network computes; a prediction of more images takes several
     *     passes
     * @param maxHeld      maximum number of versions at a time, 2 or more; each takes the memory of one network
     * @param policy       the first policy
     * @param scores       the scores that policies use
     */
    public LiveModel(
            Classifiers classifiers,
            Function<ServedNetwork, ModelDescription> descriptions,
            long memoryBytes,
            int maxHeld,
            VersionPolicy policy,
            HeldOutScores scores) {
        this(classifiers, descriptions, memoryBytes, HeldLimit.ofVersions(maxHeld), policy, scores);
    }

    /**
     * Makes a model; opens no network before the first version arrives.
     *
     * @param classifiers  opens the instances of the network
     * @param descriptions returns the description for versions whose metadata states none
     * @param memoryBytes  memory that images may take while the network computes; a prediction of more images takes several
     *     passes
     * @param limit        how many versions are held at a time
     * @param policy       the first policy
     * @param scores       the scores that policies use
     */
    public LiveModel(
            Classifiers classifiers,
            Function<ServedNetwork, ModelDescription> descriptions,
            long memoryBytes,
            HeldLimit limit,
            VersionPolicy policy,
            HeldOutScores scores) {
        this.classifiers = classifiers;
        this.descriptions = descriptions;
        this.pass = new ForwardPass(memoryBytes);
        this.limit = limit;
        this.policy = policy;
        this.held = new HeldVersions(List.of(), scores);
    }

    /** A version that answers, and the class of each output of its network: its name, or else its number. */
    public record ServedVersion(ParameterVersion version, ServedNetwork network, List<String> classes) {

        public ServedVersion {
            classes = List.copyOf(classes);
        }
    }

    /** Returns the policy. */
    public VersionPolicy policy() {
        return policy;
    }

    /**
     * Changes the policy; the next request is answered by it.
     *
     * @throws IllegalArgumentException if it pins a version that is not held
     */
    public void setPolicy(VersionPolicy next) {
        synchronized (choice) {
            List<ParameterVersion> versions = held.versions();
            if (next instanceof VersionPolicy.Pinned pinned
                    && pinned.version().among(versions).isEmpty()) {
                throw new IllegalArgumentException("the version %s is not held, so it cannot be pinned; held are %s"
                        .formatted(pinned.version(), versions));
            }
            policy = next;
        }
        LOG.info("the policy is {}", next.text());
    }

    /** Returns how many samples were answered since the beginning. */
    public long answered() {
        return answered.sum();
    }

    /** Returns the held versions, oldest first. */
    public List<ParameterVersion> versions() {
        return held.versions();
    }

    /** Returns the version that answers the requests that name none. */
    public Optional<ParameterVersion> version() {
        return held.find(WantedVersion.BY_POLICY, policy).map(Held::version);
    }

    /** Returns that version with its network and classes, consistently. */
    public Optional<ServedVersion> served() {
        return held.find(WantedVersion.BY_POLICY, policy)
                .map(one -> new ServedVersion(
                        one.version(),
                        one.replica().network(),
                        one.description().classes()));
    }

    /** Returns the network of a version. */
    public Optional<ServedNetwork> network(WantedVersion wanted) {
        return held.find(wanted, policy).map(one -> one.replica().network());
    }

    /** Returns what a version takes. */
    public Optional<SampleForm> form(WantedVersion wanted) {
        return held.find(wanted, policy).map(this::form);
    }

    private SampleForm form(Held one) {
        return new SampleForm(
                one.replica().network(), tokenizer(one), one.description().rows());
    }

    /** The file of a tokenizer lies in the test shard, which may arrive after the version. */
    private Optional<Tokenizer> tokenizer(Held one) {
        ModelDescription known = one.description();
        return known.tokenizer().filter(stated -> !stated.isComplete()).isPresent()
                ? known.withFileOf(descriptions.apply(one.replica().network())).tokenizer()
                : known.tokenizer();
    }

    /** Leases a version, which then stays in memory; empty if it is not held. */
    public Optional<VersionLease> lease(WantedVersion wanted) {
        while (true) {
            Optional<Held> chosen = held.find(wanted, policy);
            if (chosen.isEmpty()) {
                return Optional.empty();
            }
            // The version may have been evicted since; then it is not among the held ones any more.
            Optional<VersionLease> lease =
                    chosen.get().replica().lease(chosen.get().version(), tokenizer(chosen.get()));
            if (lease.isPresent()) {
                return lease;
            }
        }
    }

    /** Returns why a version does not answer. */
    public PredictionOutcome.Refusal refusal(WantedVersion wanted) {
        List<ParameterVersion> versions = held.versions();
        return versions.isEmpty() || wanted instanceof WantedVersion.ByPolicy
                ? new NoVersion()
                : new NotHeld(wanted, versions);
    }

    /**
     * Makes {@code parameters} the newest version.
     *
     * @throws IllegalArgumentException if they name no network, do not fit the one that they name, or name one whose images
     *     take too much memory; then the earlier versions continue to answer
     */
    public synchronized void swapTo(ParameterVersion version, TensorSet parameters) {
        if (isClosed) {
            return;
        }
        ServedNetwork network = classifiers.networkOf(parameters);
        pass.requireMemory(network);
        ModelDescription description = descriptions.apply(network).withMetadata(parameters.metadata(), network);
        long bytes = parameters.layout().byteLength();
        logMemory(network, bytes);
        Replica next = replica(network, version, limit.of(bytes));
        next.load(parameters, new Replica.Loaded(version, description, bytes));
        warmUp(next);
        spare = null;
        held = held.with(new Held(version, description, next));
        // Free a large network's memory once its run is over.
        for (Held other : held.ofOtherNetworks(network, policy)) {
            held = held.without(other);
            other.replica().closeWhenFree();
        }
    }

    private void logMemory(ServedNetwork network, long bytes) {
        if (!network.equals(loggedNetwork)) {
            loggedNetwork = network;
            LOG.info(
                    "each version of {} takes {} bytes; up to {} are held, {} bytes in all",
                    network.name(),
                    bytes,
                    limit.of(bytes),
                    limit.of(bytes) * bytes);
        }
    }

    /** Takes the spare replica, or one whose version is evicted, or opens one. */
    private Replica replica(ServedNetwork network, ParameterVersion next, int maxHeld) {
        while (held.all().size() >= maxHeld) {
            Held evicted = evict(next);
            // A version that a completion leases stays; the next one gets a new replica.
            if (evicted.replica().retire()) {
                replaceSpare(evicted.replica());
            }
        }
        Replica free = spare;
        if (free == null || !free.network().equals(network)) {
            free = new Replica(network, classifiers.open(network));
            replaceSpare(free);
        }
        return free;
    }

    private Held evict(ParameterVersion next) {
        synchronized (choice) {
            Held evicted = held.evictionCandidate(policy, next);
            // Requests that chose it and do not compute yet will choose another.
            held = held.without(evicted);
            return evicted;
        }
    }

    private void replaceSpare(Replica replica) {
        Replica before = spare;
        spare = replica;
        if (before != null) {
            before.close();
        }
    }

    /** Runs the network once: the slow first use must not delay a client, and a diverged version must not be served. */
    private static void warmUp(Replica replica) {
        float[] sample = replica.network().anySample();
        float[] logits = replica.use((classifier, loaded) -> Optional.of(classifier.logits(sample, 1)))
                .orElseThrow();
        for (float logit : logits) {
            if (!Float.isFinite(logit)) {
                throw new IllegalArgumentException(
                        "the network answers %s: training has diverged".formatted(beginning(logits)));
            }
        }
    }

    private static String beginning(float[] logits) {
        return logits.length <= MAX_LOGGED_LOGITS
                ? Arrays.toString(logits)
                : "%s and %d more"
                        .formatted(
                                Arrays.toString(Arrays.copyOf(logits, MAX_LOGGED_LOGITS)),
                                logits.length - MAX_LOGGED_LOGITS);
    }

    /** Computes one request alone; see {@link #predict(WantedVersion, List)}. */
    public PredictionOutcome predict(WantedVersion wanted, Images images) {
        return predict(wanted, List.of(images)).get(0);
    }

    /**
     * Computes requests together, all with one version.
     *
     * @param requests one or more, of images alike; their pixels are only read
     * @return one outcome for each request: all are answered, or none is
     */
    public List<PredictionOutcome> predict(WantedVersion wanted, List<Images> requests) {
        while (true) {
            Optional<Held> chosen = held.find(wanted, policy);
            if (chosen.isEmpty()) {
                return Collections.nCopies(requests.size(), refusal(wanted));
            }
            Replica replica = chosen.get().replica();
            SampleForm taken = form(chosen.get());
            if (!taken.takes(requests.get(0))) {
                return Collections.nCopies(requests.size(), new OtherForm(taken));
            }
            // The version may have been evicted between the choice and the lock; the replica then has another one.
            Optional<List<PredictionResult>> results = replica.use((classifier, loaded) ->
                    loaded.version().equals(chosen.get().version()) && !isEvicted(chosen.get(), wanted)
                            ? Optional.of(pass.run(classifier, replica.network(), loaded, requests))
                            : Optional.empty());
            if (results.isPresent()) {
                results.get().forEach(result -> answered.add(result.count()));
                return List.copyOf(results.get());
            }
        }
    }

    /**
     * Returns whether the version was evicted, and the request accepts another one. The thread that loads the next version
     * waits for the replica: if all queued requests computed first, the training would stall for that many answers.
     */
    private boolean isEvicted(Held chosen, WantedVersion wanted) {
        return wanted instanceof WantedVersion.ByPolicy && !held.all().contains(chosen);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        HeldVersions before = held;
        held = new HeldVersions(List.of(), before.scores());
        before.all().forEach(one -> one.replica().closeWhenFree());
        if (spare != null) {
            spare.close();
            spare = null;
        }
    }
}
