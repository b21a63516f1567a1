package org.fleetgrad.serving;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * A version that stays in memory until its last lease is closed, also if the model no longer holds it meanwhile. Thread-safe.
 */
public final class VersionLease implements AutoCloseable {

    private final Replica replica;
    private final Replica.Loaded loaded;
    private final Optional<Tokenizer> tokenizer;
    private final Optional<Decoders> decoders;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    VersionLease(Replica replica, Replica.Loaded loaded, Optional<Tokenizer> tokenizer, Optional<Decoders> decoders) {
        this.replica = replica;
        this.loaded = loaded;
        this.tokenizer = tokenizer;
        this.decoders = decoders;
    }

    /** Returns the version. */
    public ParameterVersion version() {
        return loaded.version();
    }

    /** Returns its network. */
    public ServedNetwork network() {
        return replica.network();
    }

    /** Returns the bytes of its parameters. */
    public long bytes() {
        return loaded.bytes();
    }

    /** Returns what turns text into its tokens; empty if its metadata states no tokenizer. */
    public Optional<Tokenizer> tokenizer() {
        return tokenizer;
    }

    /** Returns what continues texts with it; empty if it is no language model. A decoder must be closed before the lease. */
    public Optional<Decoders> decoders() {
        return decoders;
    }

    /** Returns the copy in memory: leases of the same copy take its bytes once. */
    public Object copy() {
        return replica;
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            replica.release();
        }
    }
}
