package org.fleetgrad.e2e.javakind;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.fleetgrad.e2e.StartedProgram;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.testing.FreePorts;

/** A runtime of the Java kind as a process, which is called as OpenWhisk's invoker calls it. */
final class JavaKindProcess implements AutoCloseable {

    private static final String SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private final Process process;
    private final ActionWire wire;
    private final Path out;
    private final Path err;

    JavaKindProcess(JavaKind kind, Path folder) throws IOException {
        int port = FreePorts.next();
        out = folder.resolve(kind + ".out");
        err = folder.resolve(kind + ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(kind.command(folder, port));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .putAll(Map.of(
                        "PYTORCH_LIBRARY_PATH",
                        NativeLibraries.folder().toString(),
                        "WORKER_ADDRESS",
                        "127.0.0.1",
                        "WORKER_PORT",
                        Integer.toString(port)));
        process = builder.start();
        wire = ActionWire.local(port);
        new StartedProgram(kind.toString(), process.toHandle(), err).await("listen", () -> takesConnections(port));
    }

    private static boolean takesConnections(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    Reply post(String path, String body) throws IOException {
        return wire.post(path, body);
    }

    /** Posts an {@code /init} with a jar, as {@code wsk action create} stores it. */
    Reply init(Path jar, String main) throws IOException {
        return post("/init", """
                {"value":{"name":"train","main":"%s","binary":true,"code":"%s","env":{"__OW_ACTION_NAME":"/guest/train"}}}""".formatted(main, Base64.getEncoder().encodeToString(Files.readAllBytes(jar))));
    }

    /** Returns how many activations' logs have ended on stdout, and on stderr. */
    List<Long> ends() throws IOException {
        return List.of(ends(out), ends(err));
    }

    private static long ends(Path stream) throws IOException {
        return Files.readString(stream).lines().filter(SENTINEL::equals).count();
    }

    /** Returns stderr so far. */
    String err() throws IOException {
        return Files.readString(err);
    }

    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
