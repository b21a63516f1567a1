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
        for (int i = 0; i < 200; i++) {
            course.add(i % 2 == 0 ? Rows.right(10, 5, 1) : Rows.wrong(20, 500, 1));
            course.add(Rows.right(130, 5, 1));
        }

        List<CoursePoint> points = course.points();

        assertThat(points)
                .extracting(CoursePoint::seconds)
                .satisfiesExactly(
                        first -> assertThat(first).isCloseTo(0.05, within(1e-9)),
                        second -> assertThat(second).isCloseTo(0.15, within(1e-9)));
        assertThat(points).extracting(CoursePoint::accuracy).containsExactly(0.5, 1.0);
        assertThat(points.get(0).low()).isCloseTo(0.4314, within(1e-4));
        assertThat(points.get(0).high()).isCloseTo(0.5686, within(1e-4));
        assertThat(points.get(0).p99Ms()).isEqualTo(500);
    }

    /** With a handful of answers a point, an accuracy of 90% is drawn as a comb from 60% to 100%. */
    @Test
    void shouldGatherAnswersUntilAShareMeansSomething() {
        for (int i = 0; i < 1_250; i++) {
            course.add(i % 10 == 0 ? Rows.wrong(i * 12.5, 2, 1) : Rows.right(i * 12.5, 2, 1));
        }

        List<CoursePoint> points = course.points();

        assertThat(points).hasSize(6);
        assertThat(points).allSatisfy(point -> {
            assertThat(point.answered()).isGreaterThanOrEqualTo(TimeCourse.LEAST_IMAGES);
            assertThat(point.accuracy()).isCloseTo(0.9, within(0.01)).isBetween(point.low(), point.high());
        });
        assertThat(points.stream().mapToLong(CoursePoint::answered).sum()).isEqualTo(1_250);
        assertThat(course.points()).as("asked again").isEqualTo(points);
    }

    @Test
    void shouldHaveOnePointOfFewAnswers() {
        course.add(Rows.right(10, 5, 1));
        course.add(Rows.right(5_000, 5, 1));

        assertThat(course.points()).singleElement().satisfies(point -> {
            assertThat(point.answered()).isEqualTo(2);
            assertThat(point.accuracy()).isEqualTo(1.0);
            assertThat(point.low()).isLessThan(0.4);
        });
    }

    @Test
    void shouldHoldADayInAsManySlotsAsASecond() {
        long requests = 0;
        for (double at = 0; at < 86_400_000; at += 5_000) {
            course.add(requests % 4 == 0 ? Rows.wrong(at, 2, 1) : Rows.right(at, 2, 1));
            requests++;
        }

        List<CoursePoint> points = course.points();

        assertThat(points).hasSizeBetween(17_280 / TimeCourse.LEAST_IMAGES / 2, TimeCourse.MOST);
        assertThat(points.stream().mapToLong(CoursePoint::answered).sum()).isEqualTo(requests);
        assertThat(points).allSatisfy(point -> assertThat(point.accuracy()).isCloseTo(0.75, within(0.02)));
        assertThat(points.get(points.size() - 1).seconds()).isCloseTo(86_400, within(86_400.0 / 60));
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
