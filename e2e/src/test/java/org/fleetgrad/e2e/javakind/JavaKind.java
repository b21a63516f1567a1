package org.fleetgrad.e2e.javakind;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.SharedData;

/** The runtimes of the Java kind that the worker's jar must work under. */
enum JavaKind {
    /** Apache OpenWhisk's own, unchanged, with nothing on its class path but itself. */
    OFFICIAL {
        @Override
        List<String> command(Path folder, int port) throws IOException {
            return official(folder, port, List.of());
        }
    },
    /** The same, with the worker on its class path, as an image may have it. */
    OFFICIAL_WITH_WORKER {
        @Override
        List<String> command(Path folder, int port) throws IOException {
            return official(folder, port, List.of(WORKER));
        }
    },
    /** That of the image {@code fleetgrad/java-runtime}, with the image's class path. */
    OURS {
        @Override
        List<String> command(Path folder, int port) throws IOException {
            return List.of(
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "-cp",
                    joined(List.of(WORKER, NativeLibraries.library("gson-"))),
                    "org.fleetgrad.worker.javakind.JavaRuntime");
        }
    };

    /** The jar that the build makes. */
    static final Path WORKER = JarProcess.jar("worker-action").resolveSibling("worker-action-openwhisk.jar");

    /** The jar of the example. */
    static final Path OWN_NETWORK = RepositoryRoot.path().resolve("examples/own-network/target/my-net.jar");

    static final String MAIN = "org.fleetgrad.worker.openwhisk.Main";

    /** Returns the arguments of the JVM that serves at {@code port}; may write files to {@code folder}. */
    abstract List<String> command(Path folder, int port) throws IOException;

    /** Its own main method takes port 8080 only: another one, of a line, makes the same object with another port. */
    private static List<String> official(Path folder, int port, List<Path> more) throws IOException {
        Path source = Files.writeString(folder.resolve("AtPort.java"), """
                public class AtPort {
                    public static void main(String[] arguments) throws Exception {
                        new org.apache.openwhisk.runtime.java.action.Proxy(Integer.parseInt(arguments[0])).start();
                    }
                }
                """);
        List<Path> classPath = new ArrayList<>(List.of(officialJar()));
        classPath.addAll(more);
        return List.of(
                "-Djava.security.manager=allow",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Dfile.encoding=UTF-8",
                "-cp",
                joined(classPath),
                source.toString(),
                Integer.toString(port));
    }

    /** Returns Apache's runtime, or skips the test. */
    static Path officialJar() {
        return SharedData.require("tools/openwhisk-java-runtime/javaAction-all.jar");
    }

    private static String joined(List<Path> classPath) {
        return String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList());
    }
}
