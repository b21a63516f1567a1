package org.fleetgrad.e2e.javakind;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;

/** The folder with libtorch, as {@code docker/libtorch} lays it into the images: unpacked from the worker's libraries. */
final class NativeLibraries {

    private static final String TORCH = "pytorch-native-cpu-";

    private static final Path LIBRARIES = RepositoryRoot.path().resolve("worker-action/target/lib");

    private NativeLibraries() {}

    /** Returns the folder; unpacks it for the first test that asks. */
    static synchronized Path folder() throws IOException {
        Path folder = RepositoryRoot.path().resolve("e2e/target/natives");
        if (Files.isDirectory(folder)) {
            return folder;
        }
        String platform = library(TORCH)
                .getFileName()
                .toString()
                .replaceFirst("^.*?\\d-", "")
                .replace(".jar", "");
        Path half = Files.createTempDirectory(folder.getParent(), "natives");
        for (Map.Entry<String, String> from : Map.of(
                        TORCH,
                        "pytorch/cpu/%s/".formatted(platform),
                        "pytorch-jni-",
                        "jnilib/%s/cpu/".formatted(platform),
                        "jna-",
                        "com/sun/jna/%s/".formatted(platform.replace('_', '-')))
                .entrySet()) {
            unpack(library(from.getKey()), from.getValue(), half);
        }
        return Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the jar of a library of the worker, by the beginning of its name. */
    static Path library(String begin) throws IOException {
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().matches("\\Q%s\\E\\d.*".formatted(begin)))
                    .toList();
            if (found.size() != 1) {
                throw new IOException("%s has %s for %s".formatted(LIBRARIES, found, begin));
            }
            return found.get(0);
        }
    }

    private static void unpack(Path jar, String inside, Path folder) throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            for (JarEntry entry : opened.stream()
                    .filter(each -> each.getName().startsWith(inside) && !each.isDirectory())
                    .toList()) {
                try (InputStream in = opened.getInputStream(entry)) {
                    Files.copy(in, folder.resolve(entry.getName().substring(inside.length())));
                }
            }
        }
    }
}
