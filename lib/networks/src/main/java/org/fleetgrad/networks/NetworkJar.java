package org.fleetgrad.networks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;

/**
 * A jar with networks of a user's own, such as that of {@code examples/own-network}. <b>It is code</b>, which runs in the program that opens
 * it, and only there: what leaves the program is the network's layers, as data in its name.
 *
 * @param file     the jar
 * @param sha256   of its bytes, in hexadecimal
 * @param families that its {@code META-INF/services} name
 */
public record NetworkJar(Path file, String sha256, List<NetworkFamily> families) {

    private static final String SERVICES = "META-INF/services/" + NetworkProvider.class.getName();

    public NetworkJar {
        families = List.copyOf(families);
    }

    /**
     * Opens a jar.
     *
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if it has no networks, or they cannot be loaded; the message has the reason
     */
    public static NetworkJar open(Path file) throws IOException {
        String sha256 = sha256(file);
        // The classes are needed as long as the program runs.
        URLClassLoader loader =
                new URLClassLoader(new URL[] {file.toUri().toURL()}, NetworkProvider.class.getClassLoader());
        if (loader.findResource(SERVICES) == null) {
            loader.close();
            throw new IllegalArgumentException(
                    "it has no %s with the name of a class, so it is no jar of networks".formatted(SERVICES));
        }
        List<NetworkFamily> families = new ArrayList<>();
        try {
            ServiceLoader.load(NetworkProvider.class, loader).stream()
                    .filter(provider -> loader.equals(provider.type().getClassLoader()))
                    .forEach(provider -> families.addAll(provider.get().families()));
        } catch (ServiceConfigurationError | LinkageError | RuntimeException broken) {
            throw new IllegalArgumentException("its networks cannot be loaded: " + broken, broken);
        }
        return new NetworkJar(
                file,
                sha256,
                families.stream().<NetworkFamily>map(CarriedFamily::new).toList());
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new UncheckedIOException(new IOException(impossible));
        }
    }

    /** Returns the names of all its networks. */
    public List<String> names() {
        return families.stream().flatMap(family -> family.names().stream()).toList();
    }

    /** A family of the jar, whose networks become names that every program knows. */
    private record CarriedFamily(NetworkFamily own) implements NetworkFamily {

        @Override
        public List<String> names() {
            return own.names();
        }

        @Override
        public String describe(String base) {
            return own.describe(base);
        }

        @Override
        public Task usual(String base) {
            return own.usual(base);
        }

        @Override
        public Task usual(NetworkName name) {
            return own.usual(name);
        }

        @Override
        public SortedMap<String, String> defaults(String base, Task task) {
            return own.defaults(base, task);
        }

        @Override
        public NetworkDefinition define(NetworkName name) {
            NetworkDefinition network;
            try {
                network = own.define(name);
            } catch (IllegalArgumentException unfit) {
                throw unfit;
            } catch (RuntimeException | LinkageError broken) {
                throw new IllegalArgumentException(
                        "the jar cannot make the network '%s': %s".formatted(name, broken), broken);
            }
            return LayersNetwork.of(network);
        }
    }
}
