package org.fleetgrad.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker must fit 256 MB and start cold in a second, so its class path has nothing that only other programs need. */
class ClassPathTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.minio.MinioClient",
                "okhttp3.OkHttpClient",
                "org.fleetgrad.store.ObjectStore",
                "org.fleetgrad.checkpoints.Checkpoints",
                "org.springframework.context.ApplicationContext"
            })
    void shouldNotCarry(String className) {
        assertThatThrownBy(() -> Class.forName(className)).isInstanceOf(ClassNotFoundException.class);
    }
}
