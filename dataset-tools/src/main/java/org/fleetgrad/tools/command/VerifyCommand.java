package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.fleetgrad.tools.verify.ShardVerification;
import org.fleetgrad.tools.verify.ShardVerification.Finding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies shards. */
@Command(
        name = "verify",
        description = "Checks every byte of shards: of a file, of a manifest's shards, or of a folder.",
        footerHeading = "%nExamples:%n",
        footer = {"  ${COMMAND-FULL-NAME} shards", "  ${COMMAND-FULL-NAME} shards/mnist-test.tar.gz --json"})
public final class VerifyCommand implements Callable<Integer> {

    private static final long MEBIBYTE = 1 << 20;

    @Mixin
    private final Console console = new Console();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Shard, manifest.json, or folder of either.")
    private List<Path> paths = new ArrayList<>();

    @Option(
            names = "--max-mib",
            defaultValue = "512",
            paramLabel = "MIB",
            description = "Refuse shards with more data, in MiB (default: ${DEFAULT-VALUE}).")
    private int maxMebibytes;

    @Override
    public Integer call() throws IOException {
        ShardVerification verification = new ShardVerification(limits());
        List<Finding> findings = new ArrayList<>();
        for (Path path : paths) {
            findings.addAll(verification.verify(path));
        }
        boolean isValid = findings.stream().allMatch(Finding::isValid);
        if (console.isJson()) {
            console.printJson(PrintedFields.of(
                    "valid",
                    isValid,
                    "files",
                    findings.stream().map(VerifyCommand::fields).toList()));
        } else {
            findings.forEach(this::print);
        }
        return isValid ? 0 : Errors.INPUT;
    }

    private ShardLimits limits() {
        try {
            return ShardLimits.ofData(maxMebibytes * MEBIBYTE);
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
    }

    private void print(Finding finding) {
        if (finding.problem() != null) {
            console.printError("invalid: " + finding.problem());
            return;
        }
        DatasetDescription description = finding.description();
        console.print(
                description == null
                        ? "ok\t%s".formatted(finding.file())
                        : "ok\t%s\t%s %s samples %d to %d of %d, %s"
                                .formatted(
                                        finding.file(),
                                        description.name(),
                                        description.split().text(),
                                        description.range().first(),
                                        description.range().end() - 1,
                                        description.range().total(),
                                        description.schema().task().input()));
    }

    private static Map<String, Object> fields(Finding finding) {
        Map<String, Object> fields = PrintedFields.of("file", finding.file().toString(), "valid", finding.isValid());
        if (finding.problem() != null) {
            fields.put("problem", finding.problem());
        }
        DatasetDescription description = finding.description();
        if (description != null) {
            fields.put("name", description.name());
            fields.put("split", description.split().text());
            fields.put("samples", description.range().count());
        }
        return fields;
    }
}
