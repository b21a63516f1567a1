package org.fleetgrad.worker.javakind;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose classes an action runs. A jar that contains its entry point, and a class that differs from the runtime's class
 * of the same name, is a worker of another build: it must run its own classes, and none of the runtime's. Any other jar uses
 * the runtime's classes, which load faster because the image has an archive of them.
 */
final class OwnWorker {

    private OwnWorker() {}

    /** Returns the jar that contains this class; null if it is in a folder. */
    static @Nullable Path ofThisRuntime() {
        CodeSource source = OwnWorker.class.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location != null && location.getPath().endsWith(".jar") ? new File(location.getPath()).toPath() : null;
    }

    /** Returns whether {@code jar} is a worker of another build than {@code runtime}. */
    static boolean in(Path jar, String entry, @Nullable Path runtime) throws IOException {
        try (JarFile given = new JarFile(jar.toFile())) {
            if (runtime == null || given.getEntry(entry.replace('.', '/') + ".class") == null) {
                return false;
            }
            try (JarFile known = new JarFile(runtime.toFile())) {
                return given.stream()
                        .filter(each -> each.getName().endsWith(".class"))
                        .anyMatch(each -> differs(each, known.getEntry(each.getName())));
            }
        }
    }

    private static boolean differs(ZipEntry given, @Nullable ZipEntry known) {
        return known != null && (known.getCrc() != given.getCrc() || known.getSize() != given.getSize());
    }
}
