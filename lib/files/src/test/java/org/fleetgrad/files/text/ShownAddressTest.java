package org.fleetgrad.files.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShownAddressTest {

    @ParameterizedTest
    @CsvSource({
        "http://host:9000/a/b, http://host:9000/a/b",
        "https://store/b/train.tar.gz?X-Amz-Signature=sesame, https://store/b/train.tar.gz",
        "http://me:sesame@host/a, http://[hidden]@host/a",
        "me:sesame@host:29500, [hidden]@host:29500",
        "s3://AKIA:sesame@bucket/a, s3://[hidden]@bucket/a",
        "file:/home/me@here/train.tar.gz, file:/home/me@here/train.tar.gz",
        "/home/me@here/train.tar.gz, /home/me@here/train.tar.gz",
        "unix:/run/me@here.sock, unix:/run/me@here.sock",
        "host:29500, host:29500"
    })
    void shouldShowWhereItIsAndNoSecret(String address, String shown) {
        assertThat(ShownAddress.of(address)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:sesame/ses?ame#sesame@host_of_store/a?sesame",
                "http://me:sesame@@host",
                "http://me:ses ame@host?",
                "ht tp://me:sesame@host",
                "http://host?email=sesame@host"
            })
    void shouldShowNoSecretOfATextThatIsNoAddress(String text) {
        assertThat(ShownAddress.of(text)).doesNotContain("ame").contains("host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://host/\u001b[2J", "/tmp/\n2026 WARN"})
    void shouldShowNoControlCharacters(String text) {
        assertThat(ShownAddress.of(text).chars()).noneMatch(Character::isISOControl);
    }
}
