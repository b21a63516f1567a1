package org.fleetgrad.tools.command;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;
import org.fleetgrad.tools.command.Console.PrintedFields;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists objects. */
@Command(
        name = "list",
        description = "Lists the objects of a store with their lengths.",
        footerHeading = "%nExample:%n",
        footer = "  ${COMMAND-FULL-NAME} --endpoint http://localhost:9000 --bucket datasets --prefix mnist")
public final class ListCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Mixin
    private final StoreOptions options = new StoreOptions();

    @Option(names = "--prefix", description = "Prefix of the names: list only objects whose names begin with it.")
    private String prefix = "";

    @Override
    public Integer call() throws IOException {
        try (ObjectStore store = options.open()) {
            List<StoredObject> objects = store.list(prefix);
            if (console.isJson()) {
                console.printJson(PrintedFields.of(
                        "bucket_name",
                        store.bucket(),
                        "objects",
                        objects.stream()
                                .map(object -> PrintedFields.of("object_name", object.name(), "bytes", object.bytes()))
                                .toList()));
            } else {
                objects.forEach(object -> console.print("%d\t%s".formatted(object.bytes(), object.name())));
            }
            return 0;
        }
    }
}
