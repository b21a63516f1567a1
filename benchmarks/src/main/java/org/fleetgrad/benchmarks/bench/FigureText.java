package org.fleetgrad.benchmarks.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;

/** The table as text, and as Markdown. */
final class FigureText {

    private static final String LINE = "%-72s %12s %12s %7s %16s  %-10s %-14s %s%n";

    private FigureText() {}

    static String table(List<? extends Result> results) {
        return LINE.formatted(
                        "what", "ours", "rival, limit", "ratio", "from, to", "unit", "goal", "the rival or limit is")
                + results.stream().map(FigureText::line).collect(Collectors.joining());
    }

    static String line(Result result) {
        if (result instanceof Missing missing) {
            return "%-72s %s: %s%n".formatted(missing.name(), missing.word(), missing.reason());
        }
        Figure figure = (Figure) result;
        return filled(
                LINE,
                figure,
                figure.name() + ": " + figure.what(),
                figure.against().is());
    }

    /** Writes the results of each measurement, by its name for {@code --only}, as Markdown. */
    static String markdown(Map<String, List<? extends Result>> results) {
        StringBuilder table = new StringBuilder("""
                | figure | what | ours | rival or limit | ratio | from, to | unit | goal | the rival or limit is | `--only` |
                |---|---|---:|---:|---:|---:|---|---|---|---|
                """);
        results.forEach((name, brought) -> brought.forEach(result -> table.append(markdown(result, name))));
        return table.toString();
    }

    private static String markdown(Result result, String measurement) {
        if (result instanceof Missing missing) {
            return "| `%s` | %s: %s | | | | | | | | `%s` |%n"
                    .formatted(missing.name(), missing.word(), missing.reason(), measurement);
        }
        Figure figure = (Figure) result;
        return filled(
                "| %s | %s | %s | %s | %s | %s | %s | %s |%n",
                figure,
                "`%s` | %s".formatted(figure.name(), figure.what()),
                "%s | `%s`".formatted(figure.against().is(), measurement));
    }

    private static String filled(String line, Figure figure, String first, String last) {
        return line.formatted(
                first,
                number(figure.ours().median()),
                number(figure.against().value().median()),
                number(figure.ratio().median()),
                spread(figure.ratio()),
                figure.unit(),
                goal(figure),
                last);
    }

    /** Of all rounds, the lowest and the highest: what a single one may say. */
    private static String spread(Values ratio) {
        return ratio.isSpread() ? "%s to %s".formatted(number(ratio.least()), number(ratio.most())) : "";
    }

    private static String goal(Figure figure) {
        return figure.goal()
                .map(goal -> "%s%s %s %s"
                        .formatted(
                                goal.isRatio() ? "×" : "",
                                goal.sign(),
                                number(goal.value()),
                                figure.isGoalMet().orElse(false) ? "met" : "MISSED"))
                .orElse("");
    }

    /** Formats a number with at least three decimals or significant digits, and as few decimals as possible. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size > 0 && size < 1e-3) {
            return new BigDecimal(value)
                    .round(new MathContext(3, RoundingMode.HALF_EVEN))
                    .toPlainString();
        }
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
