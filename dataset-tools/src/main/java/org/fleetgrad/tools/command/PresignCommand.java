package org.fleetgrad.tools.command;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.fleetgrad.tools.upload.Upload.Uploaded;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates presigned addresses of objects. */
@Command(
        name = "presign",
        description =
                "Prints a presigned address for each object; anybody who has it can read the object until it expires.",
        footerHeading = "%nExample:%n",
        footer =
                "  ${COMMAND-FULL-NAME} mnist-test.tar.gz --endpoint http://localhost:9000 --bucket datasets --expiry 12h")
public final class PresignCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Mixin
    private final StoreOptions options = new StoreOptions();

    @Parameters(paramLabel = "OBJECT", arity = "1..*", description = "Names of objects.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--expiry",
            defaultValue = "2d",
            converter = DurationConverter.class,
            description = "How long the addresses are valid, up to 7d (default: ${DEFAULT-VALUE}).")
    private Duration expiry = Duration.ofDays(2);

    @Override
    public Integer call() throws IOException {
        try (ObjectStore store = options.open()) {
            List<Uploaded> objects = new ArrayList<>();
            for (String name : names) {
                ObjectName object = new ObjectName(name);
                objects.add(new Uploaded(store.bucket(), object, store.presign(object, expiry)));
            }
            if (console.isJson()) {
                console.printJson(PrintedFields.of(
                        "objects", objects.stream().map(UploadCommand::fields).toList()));
            } else {
                objects.forEach(object -> console.print(object.url().toString()));
            }
            return 0;
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
    }
}
