package org.fleetgrad.worker.openwhisk;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.files.NameLookups;
import org.fleetgrad.worker.action.ActionResult;
import org.fleetgrad.worker.action.Activations;
import org.fleetgrad.worker.action.ProcessMemory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts activations from the Java kind's form to the container's and back: parameters are Gson objects, and the
 * other members of a {@code /run} are environment variables. Not thread-safe.
 */
final class JavaAction {

    /** Set by a runtime that is being stopped: the activation in progress then pushes its last gradient and ends. */
    private static final String STOPPING = "fleetgrad.stopping";

    /** The folder with libtorch, DJL's binding and JNA's native library, which are in the image and not in the jar. */
    private static final String NATIVES = "PYTORCH_LIBRARY_PATH";

    private static final String JNA_FOLDER = "jna.boot.library.path";
    private static final String JNA_KEEPS_TO_IT = "jna.nounpack";
    private static final String DEADLINE = "__OW_DEADLINE";

    private final JsonMapper json = JsonMapper.builder().build();
    private final Function<JsonNode, ActionResult> activations;
    private final Supplier<Map<String, String>> environment;
    private final Supplier<PrintStream> log;

    /**
     * Prepares to run activations.
     *
     * @param activations runs a body like that of a container's {@code /run}
     * @param environment read at each run: the runtime changes it between runs
     * @param log         read at each run: receives the error messages
     */
    JavaAction(
            Function<JsonNode, ActionResult> activations,
            Supplier<Map<String, String>> environment,
            Supplier<PrintStream> log) {
        this.activations = activations;
        this.environment = environment;
        this.log = log;
    }

    /** Creates one that runs activations in this process, with libtorch from the folder that its environment names. */
    static JavaAction ofThisProcess() {
        NameLookups.shortenCaching();
        Activations activations = new Activations(
                () -> Boolean.getBoolean(STOPPING),
                System::getenv,
                Clock.systemUTC(),
                () -> ClientOptions.DEFAULT,
                Optional.empty());
        return new JavaAction(
                body -> prepareNatives(System.getenv())
                        .<ActionResult>map(missing -> new ActionResult.ApplicationError(400, missing))
                        .orElseGet(() -> activations.run(body)),
                System::getenv,
                () -> System.err);
    }

    /**
     * Sets JNA's library folder, unless a JVM flag did. DJL and JNA load by path, so the libraries belong to the class
     * loader of the action's jar, whatever the runtime has on its class path.
     *
     * @return an error message if there is no such folder
     */
    static Optional<String> prepareNatives(Map<String, String> environment) {
        String path = environment.get(NATIVES);
        if (path == null || !Files.isDirectory(Path.of(path))) {
            return Optional.of(
                    "this runtime has no libtorch: %s is %s; create the action with --docker fleetgrad/java-runtime and the version of its jar"
                            .formatted(NATIVES, path == null ? "not set" : "'%s', which is no folder".formatted(path)));
        }
        if (System.getProperty(JNA_FOLDER) == null) {
            System.setProperty(JNA_FOLDER, path);
            System.setProperty(JNA_KEEPS_TO_IT, "true");
        }
        return Optional.empty();
    }

    /**
     * Runs one activation.
     *
     * @throws IllegalStateException if the heap is full: the runtime responds with the message, and OpenWhisk uses
     *     another container
     */
    JsonObject run(JsonElement arguments) {
        ObjectNode body = json.createObjectNode();
        body.set("value", json.readTree(arguments.toString()));
        String deadline = environment.get().get(DEADLINE);
        if (deadline != null) {
            body.put("deadline", deadline);
        }
        ActionResult result;
        try {
            result = activations.apply(body);
        } catch (OutOfMemoryError full) {
            throw new IllegalStateException(ProcessMemory.explain(full), full);
        }
        if (result instanceof ActionResult.ApplicationError error) {
            log.get().println(error.message());
        }
        return JsonParser.parseString(json.writeValueAsString(result.body())).getAsJsonObject();
    }
}
