package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NameLookupsTest {

    /** Prints the resulting policy of the JDK. It is read once per JVM, so a separate process prints it. */
    static final class Policy {
        public static void main(String[] arguments) throws Exception {
            NameLookups.shortenCaching();
            Class<?> policy = Class.forName("sun.net.InetAddressCachePolicy");
            System.out.print(policy.getMethod("get").invoke(null) + " "
                    + policy.getMethod("getNegative").invoke(null));
        }
    }

    @Test
    void shouldForgetMissingNamesAtOnceAndAddressesSoon() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-exports=java.base/sun.net=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Policy.class.getName())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("5 0");
        assertThat(process.waitFor()).isZero();
    }
}
