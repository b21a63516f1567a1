package org.fleetgrad.runs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.TimeLeft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunForecastTest {

    private static final OptionalDouble ENDLESS = OptionalDouble.empty();

    private final RunForecast byWork = new RunForecast(new RunTarget.None());

    private static RunForecast.Position position(long samples, OptionalDouble all) {
        return new RunForecast.Position(samples, samples, all);
    }

    @Test
    void shouldEndWithTheWorkAtTheRateOfTheNewerHalf() {
        OptionalDouble all = OptionalDouble.of(10_000);
        // Slow while the programs warm up, then 200 samples a second.
        for (int second = 1; second <= 10; second++) {
            byWork.look(second, position(20L * second, all), status(null, null));
        }
        for (int second = 11; second <= 30; second++) {
            Optional<TimeLeft> left =
                    byWork.look(second, position(200 + 200L * (second - 10), all), status(null, null));
            assertThat(left).isPresent();
        }

        TimeLeft left = byWork.look(31, position(4400, all), status(null, null)).orElseThrow();

        assertThat(left.share()).isEqualTo(0.44);
        assertThat(left.seconds()).isEqualTo(5600 / 200.0, within(0.5));
        assertThat(left.text()).isEqualTo("44%, about 28 s left");
    }

    @Test
    void shouldSayNothingBeforeThereIsARate() {
        OptionalDouble all = OptionalDouble.of(1000);

        assertThat(byWork.look(1, position(100, all), status(null, null))).isEmpty();
        assertThat(byWork.look(2.9, position(290, all), status(null, null))).isEmpty();
        assertThat(byWork.look(3.5, position(350, all), status(null, null))).isPresent();
        assertThat(new RunForecast(new RunTarget.None()).look(9, position(0, all), status(null, null)))
                .isEmpty();
    }

    @Test
    void shouldSayNothingOfARunWithoutAnEnd() {
        byWork.look(1, position(100, ENDLESS), status(null, null));

        assertThat(byWork.look(60, position(6000, ENDLESS), status(null, null))).isEmpty();
    }

    @Test
    void shouldFindTheTargetOfACurveThatIsAPower() {
        RunForecast forecast = new RunForecast(new RunTarget.Accuracy(0.98));
        Optional<TimeLeft> left = Optional.empty();
        // 100 samples a second; the share of wrong answers is 2 / sqrt(samples): 0.02 after 10,000 samples, at 100 s.
        for (int second = 1; second <= 40; second++) {
            long samples = 100L * second;
            left = forecast.look(
                    second, position(samples, ENDLESS), status((long) second, 1 - 2 / Math.sqrt((double) samples)));
        }

        assertThat(left.orElseThrow().seconds()).isEqualTo(60, within(0.01));
        assertThat(left.orElseThrow().share()).isEqualTo(0.4, within(0.001));
        assertThat(left.orElseThrow().text()).isEqualTo("40%, about 60 s left");
    }

    @Test
    void shouldShowHowUncertainAScatteredCurveIs() {
        RunForecast forecast = new RunForecast(new RunTarget.Loss(0.1));
        Optional<TimeLeft> left = Optional.empty();
        for (int second = 1; second <= 40; second++) {
            double scatter = second % 2 == 0 ? 1.2 : 1 / 1.2;
            left = forecast.look(
                    second,
                    position(100L * second, ENDLESS),
                    status((long) second, 0.5, scatter * 10 / Math.sqrt(100.0 * second)));
        }

        TimeLeft shown = left.orElseThrow();
        // The square of the scatter: 44% fewer or more samples.
        assertThat(shown.least()).isLessThan(0.75 * shown.seconds());
        assertThat(shown.most()).isGreaterThan(1.3 * shown.seconds());
        assertThat(shown.text()).contains("left (").endsWith(")");
    }

    @Test
    void shouldOnlyLimitTheTimeWhileTheTargetCannotBeForeseen() {
        RunForecast forecast = new RunForecast(new RunTarget.Accuracy(0.98));
        OptionalDouble all = OptionalDouble.of(10_000);
        forecast.look(1, position(100, all), status(1L, 0.3));

        TimeLeft left = forecast.look(4, position(400, all), status(4L, 0.5)).orElseThrow();

        assertThat(left.text()).isEqualTo("at most 96 s left");
    }

    @Test
    void shouldEndWithTheWorkIfTheTargetIsFartherOrNeverReached() {
        OptionalDouble all = OptionalDouble.of(5000);
        for (double slope : new double[] {-0.01, 0, 0.1}) {
            RunForecast forecast = new RunForecast(new RunTarget.Accuracy(0.99));
            Optional<TimeLeft> left = Optional.empty();
            for (int second = 1; second <= 25; second++) {
                left = forecast.look(
                        second, position(100L * second, all), status((long) second, 1 - 0.5 * Math.pow(second, slope)));
            }

            assertThat(left.orElseThrow().seconds()).as("slope %s", slope).isEqualTo(25, within(0.01));
        }
    }

    @Test
    void shouldBeginAnewWhenAServerWasRestoredAtAnEarlierVersion() {
        OptionalDouble all = OptionalDouble.of(10_000);
        for (int second = 1; second <= 10; second++) {
            byWork.look(second, position(100L * second, all), status(null, null));
        }

        assertThat(byWork.look(11, position(500, all), status(null, null))).isEmpty();
        assertThat(byWork.look(12, position(600, all), status(null, null))
                        .orElseThrow()
                        .seconds())
                .isEqualTo(94, within(0.01));
    }

    @Test
    void shouldWriteDurationsAsPeopleReadThem() {
        assertThat(new TimeLeft(0.999, 0.4, 0.4, 0.4).text()).isEqualTo("99%, about 0 s left");
        assertThat(new TimeLeft(0.1, 180, 100, 7300).text()).isEqualTo("10%, about 3 min left (100 s to 2.0 h)");
        assertThat(new TimeLeft(0.1, 200_000, 200_000, 1e300).text())
                .isEqualTo("10%, about 2.3 days left (2.3 days to 9999.0 days)");
    }

    private static StatusReply status(@Nullable Long evaluated, @Nullable Double accuracy) {
        return status(evaluated, accuracy, null);
    }

    private static StatusReply status(@Nullable Long evaluated, @Nullable Double accuracy, @Nullable Double loss) {
        return new StatusReply(
                200, "g", 1200, true, 10, 61706, "async", false, "sgd", "none", "none", 0.01, 38400, 0.5, accuracy,
                null, loss, null, null, null, null, evaluated, 0, 0, 0, Map.of(), 1000, List.of(), null, null);
    }
}
