package org.fleetgrad.e2e;

import java.net.URI;
import java.util.stream.Stream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.ps.PsServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** A parameter server in the JVM of a test, with the log of the tests: its own does not start beside it. */
public final class ServerHere implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private ServerHere(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts a server with settings, such as {@code ps.mode=sync}. */
    public static ServerHere start(String... settings) {
        SpringApplication application = new SpringApplication(PsServiceApplication.class);
        application.setListeners(application.getListeners().stream()
                .filter(listener -> !(listener instanceof LoggingApplicationListener))
                .toList());
        String[] arguments = Stream.concat(Stream.of("server.port=0"), Stream.of(settings))
                .map(setting -> "--" + setting)
                .toArray(String[]::new);
        return new ServerHere(application.run(arguments));
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }

    public PsClient client() {
        return new PsClient(address(), ClientOptions.DEFAULT);
    }

    @Override
    public void close() {
        context.close();
    }
}
