package org.fleetgrad.worker.action;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.worker.colocated.Colocated;

/** The running container: its address, its streams, and its end. */
public final class ActionContainer {

    /** Names the file to which the worker writes its port once it listens; {@code fleetgrad} sets it. */
    private static final String PORT_FILE = "FLEETGRAD_PORT_FILE";

    /** Names the file to which the worker writes the port that serves predictions; {@code fleetgrad} sets it. */
    private static final String SERVE_PORT_FILE = "FLEETGRAD_SERVE_PORT_FILE";

    private ActionContainer() {}

    /**
     * Serves until the process is signalled to stop, and logs to the process's streams. It listens on OpenWhisk's port,
     * 8080, on every address, unless {@code environment} names others.
     */
    public static void serve(Map<String, String> environment) throws IOException {
        if (environment.containsKey(PORT_FILE)) {
            // A process that fleetgrad starts gets an activation at once, and this takes longest of what it needs. A
            // container may
            // wait for hours.
            Libtorch.loadMeanwhile();
        }
        PrintStream out = System.out;
        PrintStream err = System.err;
        ActionEnvironment variables = new ActionEnvironment(environment);
        AtomicBoolean stopping = new AtomicBoolean();
        Optional<Colocated> serving = Colocated.open(environment, err);
        Activations activations = new Activations(
                stopping::get, variables::variables, Clock.systemUTC(), () -> ClientOptions.DEFAULT, serving);
        ActionServer server =
                new ActionServer(ActionEndpoint.address(environment), variables, activations::run, out, err);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stopping.set(true);
                            server.close();
                            serving.ifPresent(Colocated::close);
                        },
                        "stop"));
        server.start();
        if (serving.isPresent()) {
            writePort(environment, SERVE_PORT_FILE, serving.get().port());
        }
        writePort(environment, PORT_FILE, server.port());
        if (ActionEndpoint.isPortSet(environment)) {
            err.println("worker-action serves /init and /run on port " + server.port());
        }
    }

    private static void writePort(Map<String, String> environment, String variable, int port) throws IOException {
        String file = environment.get(variable);
        if (file != null) {
            Files.writeString(Path.of(file), Integer.toString(port));
        }
    }
}
