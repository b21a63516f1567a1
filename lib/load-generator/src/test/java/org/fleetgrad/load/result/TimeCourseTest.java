package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.fleetgrad.load.result.LoadResult.CoursePoint;
import org.junit.jupiter.api.Test;

class TimeCourseTest {

    private final TimeCourse course = new TimeCourse(0);

    @Test
    void shouldPutRequestsWhereTheyWereDue() {
        course.add(Rows.right(10, 5, 1));
        course.add(Rows.wrong(20, 500, 1));
        course.add(Rows.right(130, 5, 1));

        List<CoursePoint> points = course.points();

        assertThat(points).extracting(CoursePoint::seconds).containsExactly(0.05, 0.15);
        assertThat(points).extracting(CoursePoint::accuracy).containsExactly(0.5, 1.0);
        assertThat(points.get(0).p99Ms()).isEqualTo(500);
    }

    @Test
    void shouldHoldADayInAsManySlotsAsASecond() {
        long requests = 0;
        for (double at = 0; at < 86_400_000; at += 5_000) {
            course.add(requests % 4 == 0 ? Rows.wrong(at, 2, 1) : Rows.right(at, 2, 1));
            requests++;
        }

        List<CoursePoint> points = course.points();

        assertThat(points).hasSizeBetween(TimeCourse.MOST / 2, TimeCourse.MOST);
        assertThat(points.stream().mapToLong(CoursePoint::answered).sum()).isEqualTo(requests);
        assertThat(points).allSatisfy(point -> assertThat(point.accuracy()).isCloseTo(0.75, within(0.02)));
        assertThat(points.get(points.size() - 1).seconds()).isCloseTo(86_400, within(2 * course.widthSeconds()));
    }

    @Test
    void shouldKeepFailuresApartFromAnswers() {
        course.add(Rows.failed(10, 5, 503, "status 503"));

        assertThat(course.points()).singleElement().satisfies(point -> {
            assertThat(point.failed()).isEqualTo(1);
            assertThat(point.answered()).isZero();
            assertThat(point.accuracy()).isNaN();
        });
    }
}
