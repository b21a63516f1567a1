package org.fleetgrad.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What became of a run's activations. Safe from several threads. */
final class ActivationLog {

    private final JsonMapper json = JsonMapper.builder().build();
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(String worker, ActivationEnd end) {}

    synchronized void add(String worker, ActivationEnd end) {
        entries.add(new Entry(worker, end));
    }

    synchronized int count() {
        return entries.size();
    }

    synchronized int cold() {
        return (int) entries.stream().filter(entry -> entry.end().isCold()).count();
    }

    synchronized int killed() {
        return (int) entries.stream()
                .filter(entry -> entry.end() instanceof ActivationEnd.Killed)
                .count();
    }

    synchronized double seconds() {
        return entries.stream().mapToDouble(entry -> entry.end().seconds()).sum();
    }

    /** Returns the sum of a figure of the answers. */
    synchronized long sum(String figure) {
        return answers().stream()
                .mapToLong(answered -> answered.answer().path(figure).asLong())
                .sum();
    }

    /** Returns the largest of a figure of the answers; nothing where no answer has it. */
    synchronized OptionalDouble largest(String figure) {
        return answers().stream()
                .filter(answered -> answered.answer().has(figure))
                .mapToDouble(answered -> answered.answer().path(figure).asDouble())
                .max();
    }

    private List<ActivationEnd.Answered> answers() {
        return entries.stream()
                .map(Entry::end)
                .filter(ActivationEnd.Answered.class::isInstance)
                .map(ActivationEnd.Answered.class::cast)
                .toList();
    }

    /** Returns each activation as the report has it. */
    synchronized List<Map<String, Object>> rows() {
        return entries.stream().map(this::row).toList();
    }

    private Map<String, Object> row(Entry entry) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("invoker", entry.worker());
        row.put("cold", entry.end().isCold());
        row.put("duration", entry.end().seconds());
        if (entry.end() instanceof ActivationEnd.Answered answered) {
            row.putAll(json.convertValue(answered.answer(), new TypeReference<Map<String, Object>>() {}));
        } else if (entry.end() instanceof ActivationEnd.Killed killed) {
            row.put("killed", killed.why());
        } else if (entry.end() instanceof ActivationEnd.Failed failed) {
            row.put("error", failed.message());
        }
        return row;
    }

    /** Returns GB-seconds, as a FaaS counts them; nothing where the workers have no limit. */
    synchronized OptionalDouble gigabyteSeconds(OptionalLong memoryBytes) {
        return memoryBytes.isPresent()
                ? OptionalDouble.of(seconds() * memoryBytes.getAsLong() / (1L << 30))
                : OptionalDouble.empty();
    }
}
