package org.fleetgrad.benchmarks.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;
import tools.jackson.databind.json.JsonMapper;

/** The figures as one JSON object, with their names as keys. */
final class FigureJson {

    private static final MathContext DIGITS = new MathContext(6);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private FigureJson() {}

    static String of(List<? extends Result> results) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Result result : results) {
            if (figures.put(result.name(), entry(result)) != null) {
                throw new IllegalStateException("two figures have the name " + result.name());
            }
        }
        return JSON.writeValueAsString(figures);
    }

    private static Map<String, Object> entry(Result result) {
        Map<String, Object> entry = new LinkedHashMap<>();
        if (result instanceof Missing missing) {
            entry.put(missing.word(), missing.reason());
        } else if (result instanceof Figure figure) {
            entry.put("what", figure.what());
            String other = figure.against().kind();
            entry.put("ours", number(figure.ours().median()));
            entry.put(other, number(figure.against().value().median()));
            entry.put("ratio", number(figure.ratio().median()));
            if (figure.ratio().isSpread()) {
                Values others = figure.against().value();
                entry.put(
                        "rounds",
                        new TreeMap<>(Map.of(
                                "ours",
                                rounds(figure.ours()),
                                other,
                                rounds(others),
                                "ratio",
                                rounds(figure.ratio()))));
            }
            entry.put("unit", figure.unit());
            entry.put("against", figure.against().is());
            figure.goal().ifPresent(goal -> {
                entry.put("goal", goal(goal));
                entry.put("met", figure.isGoalMet().orElse(false));
            });
        }
        return entry;
    }

    private static List<BigDecimal> rounds(Values values) {
        return values.rounds().stream().map(FigureJson::number).toList();
    }

    private static String goal(Figure.Goal goal) {
        return "%s %s %s"
                .formatted(
                        goal.isRatio() ? "ratio" : "ours",
                        goal.sign(),
                        number(goal.value()).toPlainString());
    }

    /** More digits than this have no meaning in a measured value. */
    private static BigDecimal number(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalStateException("a figure is " + value);
        }
        BigDecimal rounded = new BigDecimal(value, DIGITS).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
