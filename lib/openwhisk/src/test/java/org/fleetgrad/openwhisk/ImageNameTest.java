package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that a controller 2.0.0 accepts and refuses. */
class ImageNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker",
                "fleetgrad/worker:0.1.0-snapshot",
                "fleetgrad/worker:0.1.0-snapshot-gpu",
                "openwhisk/dockerskeleton:1.14.0",
                "registry.example.com/a/b/worker:1",
                "localhost:5000/fleetgrad/worker:1",
                "Registry.Example.com:5000/worker",
                "fleetgrad/my-worker_1.x:_",
                "fleetgrad/worker@sha256:0123456789abcdef0123456789abcdef"
            })
    void shouldTakeWhatAControllerTakes(String image) {
        assertThatCode(() -> ActionDefinition.requireImage(image)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fleetgrad/worker:0.1.0-SNAPSHOT | OpenWhisk takes no upper-case letter in an image's tag; it is '0.1.0-SNAPSHOT' in 'fleetgrad/worker:0.1.0-SNAPSHOT': tag the image as 'fleetgrad/worker:0.1.0-snapshot'",
                "Fleetgrad/worker:1 | OpenWhisk takes lower-case letters in an image's name; it is 'Fleetgrad/worker:1': name the image 'fleetgrad/worker:1'",
                "fleetgrad/worker: | an image must be like prefix/name:tag; it is 'fleetgrad/worker:'",
                "fleetgrad//worker | an image must be like prefix/name:tag; it is 'fleetgrad//worker'",
                "fleetgrad/a__b | an image must be like prefix/name:tag; it is 'fleetgrad/a__b'",
                "a b | an image must be like prefix/name:tag; it is 'a b'"
            })
    void shouldSayWhyAControllerWouldRefuseIt(String image, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionDefinition.requireImage(image))
                .withMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " worker", "worker ", "worker\n"})
    void shouldRefuseBlanks(String image) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ActionDefinition.requireImage(image))
                .withMessageStartingWith("an image must be like prefix/name:tag");
    }
}
