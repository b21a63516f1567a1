package org.fleetgrad.runs.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.ActivationRow;
import org.fleetgrad.reports.Prices;
import org.fleetgrad.runs.invoker.ActivationOutcome;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The activations of a run and their outcomes. Thread-safe. */
public final class ActivationLog {

    private final JsonMapper json = JsonMapper.builder().build();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Long> applied = new HashMap<>();
    private final LongSupplier nanoTime;
    private final long origin;

    /**
     * An activation that has started.
     *
     * @param invoker name of the worker in the run
     * @param worker  the id under which it registers
     * @param started seconds since the log began
     */
    record Begun(String invoker, String worker, double started) {}

    private record Entry(Begun begun, ActivationOutcome end) {}

    /** @param nanoTime a clock, as {@link System#nanoTime} */
    public ActivationLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    /** Records the time at which an activation starts. */
    Begun begin(String invoker, String worker) {
        return new Begun(invoker, worker, (nanoTime.getAsLong() - origin) / 1e9);
    }

    synchronized void add(Begun begun, ActivationOutcome end) {
        entries.add(new Entry(begun, end));
    }

    /** Replaces the outcome of an abandoned activation by that of its late record. */
    public synchronized void replace(String worker, ActivationOutcome end) {
        entries.replaceAll(entry -> entry.begun().worker().equals(worker) ? new Entry(entry.begun(), end) : entry);
    }

    /** Records the server's counts of each worker: for a killed worker, nothing else is known. */
    public synchronized void look(StatusReply status) {
        for (StatusReply.Worker worker : status.workers()) {
            applied.merge(worker.id(), worker.applied(), Math::max);
        }
    }

    public synchronized int count() {
        return entries.size();
    }

    public synchronized int cold() {
        return (int)
                entries.stream().filter(entry -> entry.end().course().isCold()).count();
    }

    public synchronized int killed() {
        return (int) entries.stream()
                .filter(entry -> entry.end() instanceof ActivationOutcome.Killed)
                .count();
    }

    synchronized double seconds() {
        return entries.stream()
                .mapToDouble(entry -> entry.end().course().seconds())
                .sum();
    }

    /** Returns the sum of a figure over all responses. */
    public synchronized long sum(String figure) {
        return answers().stream()
                .mapToLong(answer -> answer.path(figure).asLong())
                .sum();
    }

    /** Returns the largest value of a figure over all responses; empty if no response has it. */
    public synchronized OptionalDouble largest(String figure) {
        return answers().stream()
                .filter(answer -> answer.has(figure))
                .mapToDouble(answer -> answer.path(figure).asDouble())
                .max();
    }

    private List<JsonNode> answers() {
        return entries.stream()
                .map(Entry::end)
                .filter(ActivationOutcome.Answered.class::isInstance)
                .map(end -> ((ActivationOutcome.Answered) end).answer())
                .toList();
    }

    /** Returns the report's rows, one for each activation. */
    public synchronized List<ActivationRow> rows(OptionalLong memoryBytes, Prices prices) {
        return entries.stream().map(entry -> row(entry, memoryBytes, prices)).toList();
    }

    private ActivationRow row(Entry entry, OptionalLong memoryBytes, Prices prices) {
        Begun begun = entry.begun();
        ActivationOutcome end = entry.end();
        ActivationOutcome.Course course = end.course();
        Double gbSeconds = memoryBytes.isPresent() ? (Double) gigabyteSeconds(course.seconds(), memoryBytes) : null;
        boolean isAnswered = end instanceof ActivationOutcome.Answered;
        JsonNode answer =
                end instanceof ActivationOutcome.Answered answered ? answered.answer() : json.createObjectNode();
        return new ActivationRow(
                begun.invoker(),
                course.id().isEmpty() ? null : course.id(),
                begun.worker(),
                begun.started(),
                course.seconds(),
                course.earlier() == 0 ? null : (Double) course.earlier(),
                course.isCold(),
                ending(end),
                why(end),
                gbSeconds,
                gbSeconds == null ? null : prices.ofActivations(gbSeconds, 1),
                isAnswered ? (Long) answer.path("pushes").asLong() : applied.get(begun.worker()),
                isAnswered ? (Long) answer.path("stale").asLong() : null,
                isAnswered ? 0 : 1,
                figures(answer));
    }

    private static String ending(ActivationOutcome end) {
        if (end instanceof ActivationOutcome.Answered) {
            return ActivationRow.ANSWERED;
        }
        return end instanceof ActivationOutcome.Killed ? ActivationRow.KILLED : ActivationRow.FAILED;
    }

    private static @Nullable String why(ActivationOutcome end) {
        if (end instanceof ActivationOutcome.Killed killed) {
            return killed.why();
        }
        return end instanceof ActivationOutcome.Failed failed ? failed.message() : null;
    }

    private Map<String, Object> figures(JsonNode answer) {
        Map<String, Object> figures = json.convertValue(answer, new TypeReference<LinkedHashMap<String, Object>>() {});
        figures.keySet().removeAll(Set.of("worker", "stale", "earlier_seconds"));
        return figures;
    }

    /** Returns the GB-seconds, as a FaaS counts them; empty if the workers have no memory limit. */
    public synchronized OptionalDouble gigabyteSeconds(OptionalLong memoryBytes) {
        return memoryBytes.isPresent()
                ? OptionalDouble.of(gigabyteSeconds(seconds(), memoryBytes))
                : OptionalDouble.empty();
    }

    /** Returns the GB-seconds of first tries without a record, estimated; empty if there were none. */
    public synchronized OptionalDouble unrecordedGigabyteSeconds(OptionalLong memoryBytes) {
        double unrecorded = entries.stream()
                .mapToDouble(entry -> entry.end().course().earlier())
                .sum();
        return memoryBytes.isPresent() && unrecorded > 0
                ? OptionalDouble.of(gigabyteSeconds(unrecorded, memoryBytes))
                : OptionalDouble.empty();
    }

    private static double gigabyteSeconds(double seconds, OptionalLong memoryBytes) {
        return seconds * memoryBytes.getAsLong() / (1L << 30);
    }
}
