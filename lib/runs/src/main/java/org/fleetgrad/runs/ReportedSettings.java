package org.fleetgrad.runs;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.runs.settings.ImbalanceSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.ServerSettings;
import org.fleetgrad.runs.settings.StartingPoint;

/** The settings of a run by the names of its report. */
final class ReportedSettings {

    private ReportedSettings() {}

    /** Returns what is known before the dataset is read. */
    static Map<String, Object> of(RunSettings settings) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", settings.data().folder().map(Object::toString).orElse("generated digits"));
        begin(settings.server().startingPoint(), map);
        map.put("invoker", settings.invoker().name());
        settings.invoker().memory().ifPresent(bytes -> map.put("memoryBytes", bytes));
        map.put("workers", settings.workers());
        settings.elastic().ifPresent(elastic -> map.put("elasticShare", elastic.share()));
        server(settings.server(), map);
        map.put("epochs", settings.epochs());
        settings.maxSteps().ifPresent(steps -> map.put("maxSteps", steps));
        settings.until().ifPresent(until -> map.put("until", until.toString()));
        settings.target().ifPresent(target -> map.put("target", target.toString()));
        map.put("batchSize", settings.batchSize());
        map.put("updateInterval", settings.updateInterval());
        map.put("encoding", settings.transfer().encoding());
        map.put("pullEncoding", settings.transfer().pullEncoding());
        map.put("overlap", settings.transfer().isOverlapping());
        step(settings, map);
        if (settings.serving().isLearning()) {
            map.put("learnFromFeedback", true);
        }
        map.put("augment", settings.network().augmentation().label());
        map.put("seed", settings.seed());
        return map;
    }

    private static void begin(StartingPoint start, Map<String, Object> map) {
        if (start instanceof StartingPoint.Model model) {
            map.put("from", model.file().toString());
        } else if (start instanceof StartingPoint.State state) {
            map.put("resume", state.source());
        }
    }

    private static void server(ServerSettings server, Map<String, Object> map) {
        if (server.servers() > 1) {
            map.put("servers", server.servers());
        }
        map.put("mode", server.mode().toString());
        map.put("durability", server.durability().setting());
        map.put("staleness", server.staleness().toString());
    }

    private static void step(RunSettings settings, Map<String, Object> map) {
        map.put("learningRate", settings.optimization().learningRate());
        map.put("schedule", settings.optimization().schedule().withWarmup(0).toString());
        map.put("warmupEpochs", settings.optimization().schedule().warmup());
        map.put("clipNorm", settings.optimization().clipNorm());
        map.put("labelSmoothing", settings.optimization().labelSmoothing());
        ImbalanceSettings imbalance = settings.optimization().imbalance();
        if (!imbalance.classWeights().areEqual()) {
            map.put("classWeights", imbalance.classWeights().factors());
        }
        if (imbalance.sampling() != Sampling.SHUFFLED) {
            map.put("sampling", imbalance.sampling().word());
        }
        if (!settings.optimization().freeze().isEmpty()) {
            map.put("freeze", settings.optimization().freeze().toString());
        }
        if (!settings.optimization().rates().isEmpty()) {
            map.put("rateFor", settings.optimization().rates().toString());
        }
        map.put("optimizer", settings.optimization().optimizer().toString());
        settings.optimization().local().ifPresent(local -> {
            map.put("localSteps", local.steps());
            map.put("innerOptimizer", local.inner().toString());
            map.put("innerLearningRate", local.learningRate());
        });
    }
}
