package org.fleetgrad.load.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.load.result.LoadResult.CoursePoint;
import tools.jackson.databind.json.JsonMapper;

/** Writes a result for programs: one JSON object in a line. */
public final class LoadJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private LoadJson() {}

    /** Returns the object of {@code --json}, as docs/load.md describes it. */
    public static String of(LoadResult result) {
        Map<String, Object> json = figures(result.all());
        json.put("phases", result.phases().stream().map(LoadJson::figures).toList());
        return MAPPER.writeValueAsString(json);
    }

    /** Returns the object of result.json: the same with the course over time. */
    public static String withCourse(LoadResult result) {
        Map<String, Object> json = figures(result.all());
        json.put("phases", result.phases().stream().map(LoadJson::figures).toList());
        json.put("slotSeconds", result.slotSeconds());
        List<Map<String, Object>> course =
                result.course().stream().map(LoadJson::point).toList();
        json.put("course", course);
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }

    private static Map<String, Object> figures(LoadFigures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("clients", figures.clients());
        json.put("requests", figures.requests());
        json.put("failed", figures.failed());
        boolean isAnswered = figures.requests() > figures.failed();
        json.put("p50Ms", isAnswered ? rounded(figures.p50Ms()) : null);
        json.put("p90Ms", isAnswered ? rounded(figures.p90Ms()) : null);
        json.put("p99Ms", isAnswered ? rounded(figures.p99Ms()) : null);
        json.put("maxMs", isAnswered ? rounded(figures.maxMs()) : null);
        json.put("seconds", rounded(figures.seconds()));
        json.put("perSecond", rounded(figures.perSecond()));
        json.put("imagesPerSecond", rounded(figures.imagesPerSecond()));
        json.put("accuracy", figures.accuracy().isPresent() ? figures.accuracy().getAsDouble() : null);
        json.put("repeated", figures.repeated());
        json.put("differing", figures.differing());
        json.put("versionsSeen", figures.versionsSeen());
        json.put("failures", figures.failures());
        return json;
    }

    private static Map<String, Object> point(CoursePoint point) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("seconds", rounded(point.seconds()));
        json.put("answered", point.answered());
        json.put("failed", point.failed());
        boolean isShare = !Double.isNaN(point.accuracy());
        json.put("accuracy", isShare ? point.accuracy() : null);
        json.put("low", isShare ? point.low() : null);
        json.put("high", isShare ? point.high() : null);
        json.put("p50Ms", point.answered() > 0 ? rounded(point.p50Ms()) : null);
        json.put("p99Ms", point.answered() > 0 ? rounded(point.p99Ms()) : null);
        return json;
    }

    /** To a thousandth: of a millisecond, that is a microsecond. */
    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
