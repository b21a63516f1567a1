package org.fleetgrad.e2e.javakind;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** An action of a test, made a jar as a user would make it. */
final class ActionSource {

    /** Its package is that of the worker's main function where a test asks for that. */
    private static final String CODE = """
            import com.google.gson.JsonArray;
            import com.google.gson.JsonObject;

            public class SIMPLE {
                private static int runs;

                public static JsonObject main(JsonObject arguments) throws Exception {
                    runs++;
                    System.out.println("hello stdout");
                    System.err.println("hello stderr");
                    if (arguments.has("throw")) {
                        throw new IllegalStateException("impossible \\u2744");
                    }
                    if (arguments.has("error")) {
                        throw new NoClassDefFoundError("ai/djl/Absent");
                    }
                    if (arguments.has("null")) {
                        return null;
                    }
                    JsonObject answer = new JsonObject();
                    answer.add("arguments", arguments);
                    answer.addProperty("runs", runs);
                    for (String name : new String[] {"__OW_DEADLINE", "__OW_ACTIVATION_ID", "__OW_NAMESPACE", "__OW_NUMBER"}) {
                        answer.addProperty(name, System.getenv(name));
                        answer.addProperty("all " + name, System.getenv().get(name));
                    }
                    answer.addProperty("exported", System.getenv("EXPORTED"));
                    answer.addProperty(
                            "sees itself", Thread.currentThread().getContextClassLoader().loadClass("FULL") == SIMPLE.class);
                    return answer;
                }

                public static JsonArray array(JsonArray arguments) {
                    return arguments;
                }

                static JsonObject hidden(JsonObject arguments) {
                    return arguments;
                }

                public JsonObject instance(JsonObject arguments) {
                    return arguments;
                }

                public static String text(JsonObject arguments) {
                    return "text";
                }
            }
            """;

    private ActionSource() {}

    /** Compiles the action as a class of this full name, and returns its jar. */
    static Path jar(Path folder, String name) throws IOException {
        int dot = name.lastIndexOf('.');
        String simple = name.substring(dot + 1);
        String head = dot < 0 ? "" : "package %s;\n".formatted(name.substring(0, dot));
        Path made = Files.createDirectories(folder.resolve("action-" + simple));
        Path source = Files.writeString(
                made.resolve(simple + ".java"),
                head + CODE.replace("SIMPLE", simple).replace("FULL", name));
        Path classes = Files.createDirectories(made.resolve("classes"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        NativeLibraries.library("gson-").toString(),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(status).isZero();
        return packed(classes, made.resolve(simple + ".jar"));
    }

    private static Path packed(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
