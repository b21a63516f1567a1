package org.fleetgrad.runs.device;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * libtorch for CUDA, in a folder that {@code docker/libtorch-cuda} made (ADR 51). The programs' own libtorch is the processor's: that of
 * CUDA has gigabytes, is in no Maven repository, and replaces it for the workers of a run that computes on GPUs.
 *
 * @param folder  has {@code natives}, all of which DJL loads, {@code cuda}, which those need, and {@code version}
 * @param version of libtorch
 */
public record CudaLibrary(Path folder, String version) {

    /** The environment variable that names the folder; by default it is {@value #USUAL} in the checkout. */
    private static final String VARIABLE = "FLEETGRAD_CUDA";

    private static final String USUAL = ".fleetgrad/cuda";
    private static final String MAKE = "docker/libtorch-cuda";
    /** DJL's own variable: whoever sets it has chosen the library of all programs. */
    private static final String CHOSEN = "PYTORCH_LIBRARY_PATH";

    private static final String PATH = "LD_LIBRARY_PATH";
    private static final String BINDING = "pytorch-jni-";

    /**
     * Finds the library for the workers of this machine.
     *
     * @param environment of this process
     * @param home        the checkout
     * @param jars        folder of the worker's libraries, one of which is DJL's binding to libtorch
     * @return the variables that make a worker load it: none if the environment names a library of its own
     * @throws RunFailedException if it is missing, or is one of another version than the binding; the message says which command makes
     *     it
     */
    public static Map<String, String> environment(Map<String, String> environment, Path home, Path jars)
            throws RunFailedException, IOException {
        return environment.containsKey(CHOSEN)
                ? Map.of()
                : find(environment, home, jars).variables(environment);
    }

    private static CudaLibrary find(Map<String, String> environment, Path home, Path jars)
            throws RunFailedException, IOException {
        String named = environment.getOrDefault(VARIABLE, "");
        Path folder = named.isEmpty() ? home.resolve(USUAL) : Path.of(named).toAbsolutePath();
        Path version = folder.resolve("version");
        if (!Files.isRegularFile(folder.resolve("natives").resolve("libtorch_cuda.so"))
                || !Files.isRegularFile(version)) {
            throw RunFailedException.input(
                    "a GPU needs libtorch for CUDA, and %s has none; %s makes it there: it fetches 3 GB from PyPI; or set %s to the folder of another one"
                            .formatted(folder, MAKE, VARIABLE));
        }
        CudaLibrary library = new CudaLibrary(folder, Files.readString(version).strip());
        Optional<String> wanted = bound(jars);
        if (wanted.isPresent() && !wanted.get().equals(library.version())) {
            throw RunFailedException.input(
                    "a GPU needs libtorch %s for CUDA, and %s has %s; remove it, and %s makes it anew"
                            .formatted(wanted.get(), folder, library.version(), MAKE));
        }
        return library;
    }

    /** Returns the version of libtorch that DJL's binding is for, which its jar's name begins with; empty if it is not built. */
    private static Optional<String> bound(Path jars) throws IOException {
        if (!Files.isDirectory(jars)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> bindings = Files.newDirectoryStream(jars, BINDING + "*.jar")) {
            for (Path binding : bindings) {
                String versions = binding.getFileName().toString().substring(BINDING.length());
                return Optional.of(versions.substring(0, versions.indexOf('-')));
            }
        }
        return Optional.empty();
    }

    /** Returns the variables of a process that loads it. */
    Map<String, String> variables(Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>();
        variables.put(CHOSEN, folder.resolve("natives").toString());
        variables.put("PYTORCH_VERSION", version);
        variables.put("PYTORCH_FLAVOR", "cu128");
        String cuda = folder.resolve("cuda").toString();
        String before = environment.getOrDefault(PATH, "");
        variables.put(PATH, before.isEmpty() ? cuda : cuda + File.pathSeparator + before);
        // CUDA would count the fastest GPU first; nvidia-smi and Docker count by the slots.
        variables.put("CUDA_DEVICE_ORDER", environment.getOrDefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
        return variables;
    }
}
