package org.fleetgrad.files.pem;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a file; that a right one is trusted, and others are not, is for the tests of the clients. */
class PemTrustTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSayThatAFileCannotBeRead() {
        assertThatThrownBy(() -> PemTrust.context(folder.resolve("none.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the certificate to trust cannot be read: ")
                .hasMessageContaining("none.pem");
    }

    @Test
    void shouldSayThatAFileHasNoCertificate() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");

        assertThatThrownBy(() -> PemTrust.context(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s has no certificate; write the path of a PEM file with one or more", empty);
    }

    @Test
    void shouldSayThatACertificateIsMalformed() throws IOException {
        Path garbage = Files.writeString(folder.resolve("garbage.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n");

        assertThatThrownBy(() -> PemTrust.context(garbage))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("%s is not a PEM file of certificates: ", garbage);
    }
}
