package org.fleetgrad.testing.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;

class FewerTriesTest {

    private static final AtomicInteger STATED = new AtomicInteger();
    private static final AtomicInteger USUAL = new AtomicInteger();

    private @Nullable String before;

    /** Not found by its name: only the test below runs it. */
    static class Counted {

        @Property(tries = 300)
        void stated(@ForAll int any) {
            STATED.incrementAndGet();
        }

        @Property
        void usual(@ForAll int any) {
            USUAL.incrementAndGet();
        }
    }

    @BeforeEach
    void remember() {
        before = System.getProperty(FewerTries.DIVISOR);
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(FewerTries.DIVISOR);
        } else {
            System.setProperty(FewerTries.DIVISOR, before);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 300, 1000", "10, 30, 100", "100, 20, 20"})
    void shouldTryEachPropertySoManyTimes(int divisor, int stated, int usual) {
        STATED.set(0);
        USUAL.set(0);
        System.setProperty(FewerTries.DIVISOR, Integer.toString(divisor));

        EngineTestKit.engine("jqwik")
                .selectors(selectClass(Counted.class))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2));

        assertThat(STATED).hasValue(stated);
        assertThat(USUAL).hasValue(usual);
    }

    @ParameterizedTest
    @CsvSource({"1, 10, 1", "20, 10, 20", "200, 10, 20", "2000, 10, 200", "1000, 1, 1000"})
    void shouldLeaveAtLeastTwentyOrAll(int tries, int divisor, int left) {
        assertThat(FewerTries.left(tries, divisor)).isEqualTo(left);
    }
}
