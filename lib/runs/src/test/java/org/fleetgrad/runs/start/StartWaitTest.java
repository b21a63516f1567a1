package org.fleetgrad.runs.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.runs.output.RunOutput;
import org.junit.jupiter.api.Test;

class StartWaitTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ManualStartClock clock = new ManualStartClock();
    private final List<String> told = new ArrayList<>();
    private final List<String> live = new ArrayList<>();
    private final long begin = clock.nanos();

    /** A program whose progress depends on time: processor time per second, and a log line at intervals. */
    private record FakeProgram(String name, ManualStartClock clock, long begin, double share, int secondsOfALine)
            implements Starting {

        private double seconds() {
            return (clock.nanos() - begin) / 1e9;
        }

        @Override
        public ProgramActivity activity() {
            Optional<Duration> processor =
                    share < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(Math.round(seconds() * share * 1000)));
            return new ProgramActivity(processor, (long) seconds() / secondsOfALine);
        }

        @Override
        public String logPlace() {
            return "logs/" + name + ".log";
        }

        @Override
        public String lastLine() {
            return "Starting PsService";
        }
    }

    @Test
    void shouldWaitForAProgramThatListensLateAndGetsOn() throws Exception {
        StartWait wait = wait(program("ps-service", 0.011, Integer.MAX_VALUE));

        while (seconds() < 3600) {
            wait.pause();
        }

        assertThat(told).hasSize(1);
    }

    @Test
    void shouldWaitForAProgramThatOnlyLogs() throws Exception {
        StartWait wait = wait(program("ps-service", 0, 100));

        while (seconds() < 3600) {
            wait.pause();
        }

        assertThat(told).hasSize(1);
    }

    @Test
    void shouldSayWhatItWaitsForAfterFifteenSecondsAndThenAgain() throws Exception {
        StartWait wait = wait(program("ps-service", 0.1, Integer.MAX_VALUE));

        while (seconds() < 14.9) {
            wait.pause();
        }
        assertThat(told).isEmpty();

        while (seconds() < 80) {
            wait.pause();
        }
        assertThat(told)
                .singleElement()
                .asString()
                .matches(
                        "waiting for ps-service to listen on 127\\.0\\.0\\.1:29500: 15 s, it used 1\\.5 s of processor time"
                                + "(, load [0-9.]+ on \\d+ processors)?, log logs/ps-service\\.log");
        assertThat(live).hasSize(2);
        assertThat(live.get(0)).startsWith("waiting for ps-service to listen on 127.0.0.1:29500: 4");
    }

    @Test
    void shouldSayAllNumbersOfAProgramThatIsStuck() {
        // An idle JVM is not quite idle.
        StartWait wait = wait(program("ps-service", 0.004, Integer.MAX_VALUE));

        assertThatThrownBy(() -> pauseUntil(wait, 3600))
                .isInstanceOf(StuckException.class)
                .hasMessage(
                        "ps-service failed to listen on 127.0.0.1:29500 within 120 s: in the last 120 s its log did not grow,"
                                + " and it used 0.5 s of processor time (0.5 s since its start); its log logs/ps-service.log ends:"
                                + " Starting PsService. A longer --start-timeout than 2m gives it more time");
    }

    @Test
    void shouldCountTheTimeoutFromTheLastProgress() {
        StartWait wait = wait(program("ps-service", 0, 200));

        assertThatThrownBy(() -> pauseUntil(wait, 3600)).hasMessageContaining("within 120 s");
    }

    @Test
    void shouldJudgeByTheLogWhereTheSystemTellsNoProcessorTime() {
        StartWait wait = wait(program("worker-1", -1, Integer.MAX_VALUE));

        assertThatThrownBy(() -> pauseUntil(wait, 3600))
                .hasMessageContaining("its log did not grow; the system does not report its processor time; its log");
    }

    @Test
    void shouldWaitForIdleProgramsWhileAnotherOneGetsOn() throws Exception {
        FakeProgram idle = program("stage-0", 0, Integer.MAX_VALUE);
        FakeProgram busy = program("stage-1", 0.1, Integer.MAX_VALUE);
        StartWait wait = new StartWatch(TIMEOUT, new Notes(), clock::nanos, clock::sleep)
                .begin(List.of(idle, busy), "be ready to train");

        pauseUntil(wait, 600);
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("waiting for stage-0, stage-1 to be ready to train: 15 s");

        wait.arrived(busy);
        assertThatThrownBy(() -> pauseUntil(wait, 3600)).hasMessageStartingWith("stage-0 failed to be ready");
    }

    private FakeProgram program(String name, double share, int secondsOfALine) {
        return new FakeProgram(name, clock, begin, share, secondsOfALine);
    }

    private StartWait wait(Starting program) {
        return new StartWatch(TIMEOUT, new Notes(), clock::nanos, clock::sleep)
                .begin(program, "listen on 127.0.0.1:29500");
    }

    private void pauseUntil(StartWait wait, double end) throws Exception {
        while (seconds() < end) {
            wait.pause();
        }
    }

    private double seconds() {
        return (clock.nanos() - begin) / 1e9;
    }

    /** The lines that a user sees in a log. */
    private final class Notes implements RunOutput {

        @Override
        public void tell(String line) {
            told.add(line);
        }

        @Override
        public void live(String line) {
            live.add(line);
        }

        @Override
        public Duration pace() {
            return Duration.ofSeconds(30);
        }
    }
}
