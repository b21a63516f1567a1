package org.fleetgrad.e2e.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.ps.PsServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The other side of {@link ServerHost}: starts and stops parameter servers as lines on stdin say, and ends with stdin. */
final class ManyServers {

    static final String ANSWER = "server host: ";
    static final String DONE = ANSWER + "done";

    private static final Map<String, ConfigurableApplicationContext> SERVERS = new HashMap<>();

    private ManyServers() {}

    /** Reads {@code start PORT ARGUMENT...} and {@code stop PORT}, with tabs between the words, and answers each with a line. */
    public static void main(String[] unused) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = in.readLine();
            while (line != null) {
                System.out.println(answer(line.split("\t")));
                line = in.readLine();
            }
        }
        System.exit(0);
    }

    private static String answer(String[] words) {
        try {
            if (words[0].equals("start")) {
                SERVERS.put(
                        words[1],
                        SpringApplication.run(PsServiceApplication.class, Arrays.copyOfRange(words, 2, words.length)));
            } else {
                Optional.ofNullable(SERVERS.remove(words[1])).orElseThrow().close();
            }
            return DONE;
        } catch (RuntimeException failed) {
            return ANSWER + failed;
        }
    }
}
