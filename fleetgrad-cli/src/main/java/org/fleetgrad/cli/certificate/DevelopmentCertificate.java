package org.fleetgrad.cli.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A self-signed certificate for development and closed networks. Clients trust it if they are given its PEM file.
 *
 * @param keystore    PKCS12 with the certificate and its key
 * @param certificate the certificate without its key, PEM; clients trust it
 * @param settings    the services' settings as environment variables
 */
public record DevelopmentCertificate(Path keystore, Path certificate, Path settings) {

    private static final String ALIAS = "fleetgrad";
    private static final int PASSWORD_BYTES = 18;

    /** Returns the paths of a certificate's files in {@code folder}. */
    static DevelopmentCertificate in(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        return new DevelopmentCertificate(
                absolute.resolve("fleetgrad.p12"), absolute.resolve("fleetgrad.pem"), absolute.resolve("server.env"));
    }

    /**
     * Makes a certificate with the JDK's keytool and writes the three files.
     *
     * @param hosts names and addresses, in addition to localhost and 127.0.0.1
     * @param force whether an earlier certificate's files may be replaced
     * @throws FileAlreadyExistsException if such a file exists and {@code force} is not set
     * @throws IllegalArgumentException   if a host is neither a name nor an address
     */
    public static DevelopmentCertificate create(Path folder, List<String> hosts, int days, boolean force)
            throws IOException, InterruptedException {
        String names = HostNames.subjectAlternativeNames(hosts);
        DevelopmentCertificate made = in(folder);
        for (Path file : made.files()) {
            if (Files.exists(file) && !force) {
                throw new FileAlreadyExistsException(file.toString());
            }
        }
        Files.createDirectories(made.keystore().getParent());
        Path draft = Files.createTempDirectory(made.keystore().getParent(), ".certificate");
        try {
            made.write(draft, names, days);
        } finally {
            try (Stream<Path> left = Files.list(draft)) {
                for (Path file : left.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(draft);
        }
        return made;
    }

    private List<Path> files() {
        return List.of(keystore, certificate, settings);
    }

    /** Writes drafts first, so that a failure leaves the earlier files as they were. */
    private void write(Path draft, String names, int days) throws IOException, InterruptedException {
        DevelopmentCertificate next = in(draft);
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Keytool keytool = new Keytool(next.keystore(), password);
        keytool.run(List.of(
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-sigalg",
                "SHA256withECDSA",
                "-dname",
                "CN=fleetgrad development",
                "-validity",
                Integer.toString(days),
                "-ext",
                "SAN=" + names,
                "-ext",
                "KU=digitalSignature",
                "-ext",
                "EKU=serverAuth",
                "-storetype",
                "PKCS12"));
        keytool.run(List.of(
                "-exportcert",
                "-rfc",
                "-alias",
                ALIAS,
                "-file",
                next.certificate().toString()));
        Files.writeString(next.settings(), String.join("\n", settings(password)) + "\n", StandardCharsets.UTF_8);
        for (Path secret : List.of(next.keystore(), next.settings())) {
            if (Files.getFileStore(secret).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            }
        }
        for (int i = 0; i < files().size(); i++) {
            Files.move(next.files().get(i), files().get(i), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Quotes text for a shell, but only if needed: Docker would read the quotes as a part of the path. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9/:._-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private List<String> settings(String password) {
        String bundle = "SPRING_SSL_BUNDLE_JKS_FLEETGRAD_KEYSTORE_";
        return List.of(
                "SERVER_SSL_BUNDLE=fleetgrad",
                bundle + "LOCATION=" + quoted("file:" + keystore),
                bundle + "PASSWORD=" + password,
                bundle + "TYPE=PKCS12");
    }
}
