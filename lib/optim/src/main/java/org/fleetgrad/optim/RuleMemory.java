package org.fleetgrad.optim;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a staleness rule: numbers, shared arrays, and one array for each worker. All are zero at first.
 *
 * <p>Workers are ordered by id, so that sums over them have the same bits whatever the order of arrival.
 */
final class RuleMemory {

    /** Stands for a rule that has no array for each worker. */
    static final String NOTHING = "";

    private static final String OF_WORKER = "worker/";

    private final int size;
    private final Map<String, Long> largest;
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private final Buffers shared;
    private final Set<String> sharedNames;
    private final String suffix;
    private final Map<String, float[]> ofWorkers = new TreeMap<>();

    /**
     * Makes an empty memory.
     *
     * @param numbers  the names of the numbers, each with its largest allowed value
     * @param shared   the names of the shared arrays
     * @param ofWorker the name of the array that each worker has, or {@link #NOTHING}
     */
    RuleMemory(int size, Map<String, Long> numbers, List<String> shared, String ofWorker) {
        this.size = size;
        this.largest = new TreeMap<>(numbers);
        largest.keySet().forEach(name -> this.numbers.put(name, 0L));
        this.shared = new Buffers(size, shared.toArray(String[]::new));
        this.sharedNames = Set.copyOf(shared);
        this.suffix = ofWorker.isEmpty() ? NOTHING : "/" + ofWorker;
    }

    long number(String name) {
        return Optional.ofNullable(numbers.get(name)).orElseThrow();
    }

    void set(String name, long number) {
        numbers.put(name, number);
    }

    float[] shared(String name) {
        return shared.get(name);
    }

    /** Returns the array of a worker; the first call creates it. */
    float[] of(String worker) {
        return ofWorkers.computeIfAbsent(worker, unknown -> new float[size]);
    }

    /** Removes the array of a worker. Returns false if it had none. */
    boolean forget(String worker) {
        return ofWorkers.remove(worker) != null;
    }

    Set<String> workers() {
        return Collections.unmodifiableSet(new TreeSet<>(ofWorkers.keySet()));
    }

    /** Returns the arrays of all workers, in the order of their ids. */
    Iterable<float[]> ofWorkers() {
        return ofWorkers.values();
    }

    Map<String, Long> numbers() {
        return numbers;
    }

    Map<String, float[]> buffers() {
        Map<String, float[]> all = new LinkedHashMap<>(shared.byName());
        ofWorkers.forEach((worker, values) -> all.put(OF_WORKER + worker + suffix, values));
        return all;
    }

    /** Throws if {@link #restore} cannot use these values. */
    void requireFits(Map<String, Long> otherNumbers, Map<String, float[]> others) {
        if (!otherNumbers.keySet().equals(largest.keySet())) {
            throw new IllegalArgumentException(
                    "the rule's numbers are %s, the state's are %s".formatted(largest.keySet(), otherNumbers.keySet()));
        }
        largest.forEach((name, most) -> {
            long other = Optional.ofNullable(otherNumbers.get(name)).orElseThrow();
            if (other < 0 || other > most) {
                throw new IllegalArgumentException(
                        "the state's number '%s' must be from 0 to %d; it is %d".formatted(name, most, other));
            }
        });
        if (!others.keySet().containsAll(sharedNames)) {
            throw new IllegalArgumentException(
                    "the rule's buffers are %s, the state's are %s".formatted(sharedNames, others.keySet()));
        }
        others.forEach((name, other) -> {
            if (!sharedNames.contains(name) && worker(name).isEmpty()) {
                throw new IllegalArgumentException("the rule has no buffer '%s'".formatted(name));
            }
            if (other.length != size) {
                throw new IllegalArgumentException(
                        "the rule has %d values, the state's buffer '%s' has %d".formatted(size, name, other.length));
            }
        });
    }

    /** Copies the values; {@link #requireFits} must have accepted them. */
    void restore(Map<String, Long> otherNumbers, Map<String, float[]> others) {
        numbers.putAll(otherNumbers);
        ofWorkers.clear();
        Map<String, float[]> othersShared = new LinkedHashMap<>(others);
        others.forEach((name, other) -> worker(name).ifPresent(worker -> {
            othersShared.remove(name);
            ofWorkers.put(worker, other.clone());
        }));
        shared.restore(othersShared);
    }

    private Optional<String> worker(String name) {
        boolean isOfWorker = !suffix.isEmpty()
                && name.length() >= OF_WORKER.length() + suffix.length()
                && name.startsWith(OF_WORKER)
                && name.endsWith(suffix);
        return isOfWorker
                ? Optional.of(name.substring(OF_WORKER.length(), name.length() - suffix.length()))
                : Optional.empty();
    }
}
