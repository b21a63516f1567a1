package org.fleetgrad.worker.javakind;

import java.io.IOException;
import org.fleetgrad.worker.action.ActionEndpoint;
import org.fleetgrad.worker.action.Utf8Streams;

/** The program of the image {@code fleetgrad/java-runtime}. */
public final class JavaRuntime {

    /** A property that the action may read: whether this process is being stopped. */
    private static final String STOPPING = "fleetgrad.stopping";

    private JavaRuntime() {}

    /**
     * Serves until the process is signalled to stop, on OpenWhisk's port, 8080, unless the environment names another.
     * After a SIGTERM the activation in progress is answered first.
     */
    public static void main(String[] arguments) throws IOException {
        Utf8Streams.install();
        JavaKindServer server = new JavaKindServer(ActionEndpoint.address(System.getenv()), System.out, System.err);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            System.setProperty(STOPPING, "true");
                            server.close();
                        },
                        "stop"));
        server.start();
        if (ActionEndpoint.isPortSet(System.getenv())) {
            System.err.println("java-runtime serves /init and /run on port " + server.port());
        }
    }
}
