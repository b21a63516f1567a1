package org.fleetgrad.tokenizers;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.util.Platform;
import ai.djl.util.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The native library, which lies in DJL's jar. DJL unpacks it once into its cache ({@code DJL_CACHE_DIR}, by default {@code
 * ~/.djl.ai}). Where that cannot be written, each process unpacks it into a folder of its own below {@code java.io.tmpdir}, which
 * nobody else may write, and deletes it at its end. Nothing is downloaded.
 */
final class NativeLibrary {

    private static final String OFFLINE = "ai.djl.offline";

    /** DJL loads this file instead of its own. Of a folder it would ask which GPU there is, and fail where there is none. */
    private static final String OVERRIDE = "RUST_LIBRARY_PATH";

    private NativeLibrary() {}

    /** Initialized at first use. */
    private static final class Loaded {

        static final boolean IS_LOADED = load();

        private static boolean load() {
            if (System.getProperty(OFFLINE) == null) {
                System.setProperty(OFFLINE, "true");
            }
            Path cache = Utils.getEngineCacheDir("tokenizers");
            if (override() == null && !isWritable(cache)) {
                System.setProperty(OVERRIDE, unpacked().toString());
            }
            LibUtils.checkStatus();
            return true;
        }
    }

    /**
     * Loads the library, unless it is loaded.
     *
     * @throws IllegalStateException if it cannot be loaded, now or earlier
     */
    static void load() {
        try {
            if (!Loaded.IS_LOADED) {
                throw new IllegalStateException("the library is not loaded");
            }
        } catch (LinkageError failed) {
            // No Error, which would end the thread of a service that can go on without texts.
            throw new IllegalStateException(
                    "the native library of tokenizers cannot be loaded from %s; it must lie where programs may be run"
                            .formatted(Objects.requireNonNullElse(override(), "the cache of DJL")),
                    failed);
        }
    }

    /** Returns whether a folder is there and can be written, or can be created. */
    static boolean isWritable(Path folder) {
        try {
            return Files.isWritable(Files.createDirectories(folder));
        } catch (IOException refused) {
            return false;
        }
    }

    private static @Nullable String override() {
        return Utils.getEnvOrSystemProperty(OVERRIDE);
    }

    /** Unpacks the library into a new folder, and returns the file. */
    static Path unpacked() {
        Platform platform = Platform.detectPlatform("tokenizers");
        String name = System.mapLibraryName("tokenizers");
        String resource = "native/lib/%s/cpu/%s".formatted(platform.getClassifier(), name);
        try (InputStream in = Objects.requireNonNull(
                LibUtils.class.getClassLoader().getResourceAsStream(resource),
                "the library tokenizers has no " + resource)) {
            Path folder = Files.createTempDirectory("fleetgrad-tokenizers");
            folder.toFile().deleteOnExit();
            Path file = folder.resolve(name);
            file.toFile().deleteOnExit();
            Files.copy(in, file);
            return file;
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the native library of tokenizers cannot be unpacked, neither into DJL_CACHE_DIR nor into java.io.tmpdir",
                    failed);
        }
    }
}
