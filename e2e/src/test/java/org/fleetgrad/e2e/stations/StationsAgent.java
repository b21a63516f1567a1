package org.fleetgrad.e2e.stations;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;

/** Counts in a program how often methods of each of Fleetgrad's types are entered, and writes the counts when the program ends. */
public final class StationsAgent {

    private StationsAgent() {}

    /** The code that begins each method. */
    static final class Entry {

        private Entry() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type) {
            EnteredTypes.enter(type);
        }
    }

    /**
     * Called by the JVM before {@code main}.
     *
     * @param folder gets a file with the process's number as its name
     */
    public static void premain(String folder, Instrumentation instrumentation) {
        new AgentBuilder.Default()
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(nameStartsWith("org.fleetgrad.").and(not(nameStartsWith("org.fleetgrad.e2e."))))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Entry.class)
                        .on(isMethod().and(not(isAbstract())).and(not(isNative())))))
                .installOn(instrumentation);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                EnteredTypes.write(
                        Path.of(folder, Long.toString(ProcessHandle.current().pid())));
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }));
    }

    /** Writes this agent's jar. */
    static Path jar(Path file) throws IOException, URISyntaxException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", StationsAgent.class.getName());
        main.putValue(
                "Class-Path",
                AgentBuilder.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString());
        Path classes = Path.of(StationsAgent.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Class<?> needed : new Class<?>[] {StationsAgent.class, Entry.class, EnteredTypes.class}) {
                String name = needed.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                Files.copy(classes.resolve(name), jar);
            }
        }
        return file;
    }
}
