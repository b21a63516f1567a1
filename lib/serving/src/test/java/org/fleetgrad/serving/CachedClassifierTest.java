package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.fleetgrad.protocol.ParameterVersion;
import org.junit.jupiter.api.Test;

class CachedClassifierTest {

    private final FakeClassifiers classifiers = new FakeClassifiers(new ImageShape(1, 1, 1));
    private final ServedNetwork small = network(Map.of());
    private final ServedNetwork large = network(FakeClassifiers.LARGE);

    private ServedNetwork network(Map<String, String> metadata) {
        return classifiers.networkOf(FakeClassifier.parameters(new ParameterVersion("g", 1), metadata));
    }

    @Test
    void shouldKeepOneInstanceWhileTheNetworkStays() {
        try (CachedClassifier kept = new CachedClassifier(classifiers)) {
            assertThat(classifiers.open).hasValue(0);

            Classifier first = kept.of(small);

            assertThat(kept.of(small)).isSameAs(first);
            assertThat(classifiers.open).hasValue(1);
        }
        assertThat(classifiers.open).hasValue(0);
    }

    @Test
    void shouldCloseTheInstanceWhenAnotherNetworkComes() {
        try (CachedClassifier kept = new CachedClassifier(classifiers)) {
            Classifier first = kept.of(small);

            assertThat(kept.of(large)).isNotSameAs(first);
            assertThat(classifiers.open).hasValue(1);
        }
    }
}
