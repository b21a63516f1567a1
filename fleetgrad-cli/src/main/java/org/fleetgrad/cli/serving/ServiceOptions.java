package org.fleetgrad.cli.serving;

import java.net.URI;
import java.util.Objects;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of every command that calls a running inference API, and the command's output. */
final class ServiceOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:29600",
            description = "Address of the service, the inference API (default: ${DEFAULT-VALUE}). If it has keys, set"
                    + " FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE). For https,"
                    + " FLEETGRAD_TRUST may name a PEM file to trust.")
    private URI service = URI.create("http://127.0.0.1:29600");

    @Option(names = "--json", description = "Print the result as JSON: the service's own response")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** Prepares a client with the keys and trusted certificates of the environment. */
    ServedModel model() throws RunFailedException {
        String scheme = service.getScheme();
        if (service.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw RunFailedException.input("--url must be like http://host:29600; it is '%s'".formatted(service));
        }
        try {
            ClientOptions options = ClientOptions.DEFAULT.withEnvironment(System.getenv());
            ServerOptions.warnOfClearText(options, service);
            return new ServedModel(service, options);
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(String.valueOf(wrong.getMessage()));
        }
    }

    /** Prints a result. */
    void print(String text) {
        CommandSpec spec = Objects.requireNonNull(command);
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }
}
