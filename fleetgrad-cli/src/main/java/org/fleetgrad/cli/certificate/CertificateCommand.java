package org.fleetgrad.cli.certificate;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fleetgrad certificate}. */
@Command(
        name = "certificate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Makes a certificate for development; prints its settings.",
        footer = {"", "Example:", "  fleetgrad certificate --out tls --host ps.example.org --host 192.0.2.7"})
public final class CertificateCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Write to this folder")
    private Path out = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Name or address of the server, in addition to localhost and 127.0.0.1; may be repeated")
    private List<String> hosts = List.of();

    @Option(
            names = "--days",
            defaultValue = "365",
            description = "Days for which the certificate is valid (default: ${DEFAULT-VALUE})")
    private int days;

    @Option(names = "--force", description = "Overwrite existing files")
    private boolean force;

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        if (days < 1 || days > 3650) {
            throw RunFailedException.input("--days must be from 1 to 3650; it is " + days);
        }
        try {
            print(DevelopmentCertificate.create(out, hosts, days, force));
        } catch (IllegalArgumentException noName) {
            throw RunFailedException.input(String.valueOf(noName.getMessage()));
        } catch (FileAlreadyExistsException present) {
            throw RunFailedException.input(
                    "%s exists; pass --force to replace it, or another --out".formatted(present.getMessage()));
        } catch (IOException failed) {
            throw RunFailedException.input("the certificate could not be written: " + failed);
        }
        return 0;
    }

    private void print(DevelopmentCertificate made) throws IOException {
        PrintWriter console = Objects.requireNonNull(command).commandLine().getOut();
        console.println("Made a certificate for development, valid for %d days:".formatted(days));
        console.println("  " + made.keystore() + "  (with the private key: keep it secret)");
        console.println("  " + made.certificate() + "  (give it to clients that are to trust the server)");
        console.println();
        console.println("Settings of ps-service and inference-api, also in " + made.settings() + ":");
        Files.readAllLines(made.settings()).forEach(line -> console.println("  " + line));
        console.println();
        console.println("Settings of their clients:");
        console.println("  FLEETGRAD_TRUST='%s'".formatted(made.certificate()));
        console.println("  INFERENCE_TRUST='%s'".formatted(made.certificate()));
        console.println("  curl --cacert '%s'".formatted(made.certificate()));
        console.flush();
    }
}
