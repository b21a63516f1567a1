package org.fleetgrad.ps;

import java.net.URI;
import java.net.URL;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The parameter server inside of another program: for tests, and for a program whose training shall need no second process. It
 * is the whole server with all of its routes, on a free port of 127.0.0.1. Several may run in one JVM. Thread-safe.
 *
 * <p>The program's class path decides what Spring Boot configures: another servlet container or a security starter on it is not
 * supported. The program's own {@code application.yaml} does not count here, environment variables such as {@code PS_MODE} do.
 * Unlike the process, it does not end the JVM when memory runs out.
 */
public final class EmbeddedServer implements AutoCloseable {

    private static final String DEFAULTS = "application.yaml";

    private final ConfigurableApplicationContext context;

    private EmbeddedServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts a server, and returns when it answers.
     *
     * @param settings as {@code docs/configuration.md} lists them, such as {@code ps.mode=sync}
     * @throws RuntimeException if a setting is invalid; a cause's message says what to write
     */
    public static EmbeddedServer start(String... settings) {
        Stream<String> own = Stream.of("server.port=0", "spring.config.location=" + defaults());
        String[] arguments = Stream.concat(own, Arrays.stream(settings))
                .map(setting -> "--" + setting)
                .toArray(String[]::new);
        return new EmbeddedServer(SpringApplication.run(PsServiceApplication.class, arguments));
    }

    /** The file of this module: the embedding program may have one of the same name, which would come first. */
    private static String defaults() {
        String module =
                PsServiceApplication.class.getProtectionDomain().getCodeSource().getLocation() + "";
        URL file = Optional.ofNullable(PsServiceApplication.class.getClassLoader())
                .flatMap(loader -> loader.resources(DEFAULTS)
                        .filter(found -> found.toString().contains(module))
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("%s has no %s".formatted(module, DEFAULTS)));
        return file.toString();
    }

    /** Returns the address, such as {@code http://127.0.0.1:40123}. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }

    /** Stops the server as a signal would: running requests end, and a journal is complete. */
    @Override
    public void close() {
        context.close();
    }
}
