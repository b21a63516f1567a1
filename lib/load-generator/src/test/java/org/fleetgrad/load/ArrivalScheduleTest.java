package org.fleetgrad.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ArrivalScheduleTest {

    private static final long MS = 1_000_000;

    private final ManualLoadClock clock = new ManualLoadClock();

    @Test
    void shouldSpaceRequestsByTheRate() throws InterruptedException {
        ArrivalSchedule schedule = new ArrivalSchedule(clock, 5 * MS, 3, OptionalDouble.of(100));
        clock.advance(5 * MS);

        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(0, 5 * MS));
        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(1, 15 * MS));
        assertThat(clock.nanos()).isEqualTo(15 * MS);
        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(2, 25 * MS));
        assertThat(schedule.next()).isEmpty();
    }

    @Test
    void shouldLetALateRequestBeDueWhenItWasDue() throws InterruptedException {
        ArrivalSchedule schedule = new ArrivalSchedule(clock, 0, 2, OptionalDouble.of(100));
        clock.advance(70 * MS);

        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(0, 0));
        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(1, 10 * MS));
        assertThat(clock.nanos()).isEqualTo(70 * MS);
    }

    @Test
    void shouldLetARequestBeDueNowWithoutARate() throws InterruptedException {
        ArrivalSchedule schedule = new ArrivalSchedule(clock, 0, 2, OptionalDouble.empty());
        clock.advance(70 * MS);

        assertThat(schedule.next()).contains(new ArrivalSchedule.Turn(0, 70 * MS));
    }

    @Test
    void shouldBeginNoFurtherRequestAfterAStop() throws InterruptedException {
        ArrivalSchedule schedule = new ArrivalSchedule(clock, 0, 2, OptionalDouble.empty());
        schedule.stop();

        assertThat(schedule.next()).isEmpty();
    }
}
