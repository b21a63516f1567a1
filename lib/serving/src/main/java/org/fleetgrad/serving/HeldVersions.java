package org.fleetgrad.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.VersionPolicy.Candidate;
import org.fleetgrad.serving.policy.WantedVersion;

/** The held versions, oldest first. Immutable: each change creates another list, so a reader needs no lock. */
record HeldVersions(List<Held> all, HeldOutScores scores) {

    /** A version, its description, and the replica that has it. */
    record Held(ParameterVersion version, ModelDescription description, Replica replica) {}

    HeldVersions {
        all = List.copyOf(all);
    }

    List<ParameterVersion> versions() {
        return all.stream().map(Held::version).toList();
    }

    HeldVersions with(Held next) {
        List<Held> more = new ArrayList<>(all);
        more.add(next);
        return new HeldVersions(more, scores);
    }

    HeldVersions without(Held evicted) {
        return new HeldVersions(all.stream().filter(one -> !one.equals(evicted)).toList(), scores);
    }

    Optional<Held> find(WantedVersion wanted, VersionPolicy policy) {
        if (wanted instanceof WantedVersion.ByPolicy && policy instanceof VersionPolicy.Latest) {
            // The usual case of each prediction needs no scores.
            return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
        }
        return (wanted instanceof WantedVersion.Named named ? named.among(versions()) : policy.choose(candidates()))
                .flatMap(this::of);
    }

    private Optional<Held> of(ParameterVersion version) {
        // From the end: a version that arrived twice answers with its last values.
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).version().equals(version)) {
                return Optional.of(all.get(i));
            }
        }
        return Optional.empty();
    }

    private List<Candidate> candidates() {
        return all.stream()
                .map(one -> new Candidate(one.version(), scores.deciding(one.version())))
                .toList();
    }

    /** Returns the version to evict for another one. */
    Held evictionCandidate(VersionPolicy policy, ParameterVersion next) {
        List<Candidate> candidates = candidates();
        ParameterVersion evicted = new Eviction(
                        candidates, new Candidate(next, scores.deciding(next)), policy, scores.expected())
                .evicted();
        return all.stream()
                .filter(one -> one.version().equals(evicted))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the versions of other networks, except the one that the policy chooses. */
    List<Held> ofOtherNetworks(ServedNetwork network, VersionPolicy policy) {
        Optional<ParameterVersion> chosen = policy.choose(candidates());
        return all.stream()
                .filter(one -> !one.replica().network().equals(network))
                .filter(one -> chosen.filter(one.version()::equals).isEmpty())
                .toList();
    }
}
