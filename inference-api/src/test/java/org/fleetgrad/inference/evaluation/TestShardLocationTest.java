package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestShardLocationTest {

    @Test
    void shouldTellPathsUrlsAndBucketsApart() {
        assertThat(TestShardLocation.valueOf("/data/test.tar.gz"))
                .isEqualTo(new TestShardLocation.Local(Path.of("/data/test.tar.gz")));
        assertThat(TestShardLocation.valueOf("shards")).isEqualTo(new TestShardLocation.Local(Path.of("shards")));
        assertThat(TestShardLocation.valueOf("HTTPS://store/a.tar.gz"))
                .isEqualTo(new TestShardLocation.Url(URI.create("HTTPS://store/a.tar.gz")));
        assertThat(TestShardLocation.valueOf("s3://datasets/mnist"))
                .isEqualTo(new TestShardLocation.Bucket("s3://datasets/mnist"));
    }

    @Test
    void shouldNotShowTheSignatureOfAnAddress() {
        assertThat(TestShardLocation.valueOf("http://store/a.tar.gz?X-Amz-Signature=hush"))
                .hasToString("http://store/a.tar.gz");
        assertThatThrownBy(() -> TestShardLocation.valueOf("http://store/a b?X-Amz-Signature=hush"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageEndingWith("it is 'http://store/a b'");
        assertThat(TestShardLocation.valueOf("http://me:hush@store/a.tar.gz"))
                .hasToString("http://[hidden]@store/a.tar.gz");
        assertThatThrownBy(() -> TestShardLocation.valueOf("http://me:hush@my_store/a"))
                .hasMessageEndingWith("it is 'http://[hidden]@my_store/a'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://store/a", "http://", "http:///a"})
    void shouldSayWhatToWriteInstead(String text) {
        assertThatThrownBy(() -> TestShardLocation.valueOf(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "inference.test-shard must be a shard's path or http(s) URL, or a dataset's folder or s3://bucket/prefix; it is '%s'",
                        text);
    }
}
