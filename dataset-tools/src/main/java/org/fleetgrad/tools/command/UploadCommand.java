package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.fleetgrad.tools.upload.Upload;
import org.fleetgrad.tools.upload.Upload.Uploaded;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Uploads files. */
@Command(
        name = "upload",
        description = {
            "Uploads files and prints a line of JSON for each, with a presigned address.",
            "The members are bucket_name, object_name and url. A folder stands for the shards that its manifest.json names;"
                    + " the manifest is uploaded last. A missing bucket is created."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} shards/*.tar.gz --endpoint http://localhost:9000 --bucket datasets",
            "  ${COMMAND-FULL-NAME} shards --to store --prefix mnist/"
        })
public final class UploadCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Mixin
    private final StoreOptions options = new StoreOptions();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files or folders to upload, under their own names.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--prefix", description = "Prefix of the names of the objects, such as mnist/.")
    private String prefix = "";

    @Option(
            names = "--expiry",
            defaultValue = "2d",
            converter = DurationConverter.class,
            description = "How long the addresses are valid, up to 7d (default: ${DEFAULT-VALUE}).")
    private Duration expiry = Duration.ofDays(2);

    @Option(names = "--force", description = "Overwrite existing files or objects.")
    private boolean isForced;

    @Override
    public Integer call() throws IOException {
        List<Path> files = files();
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new NoSuchFileException(file.toString());
            }
        }
        try (ObjectStore store = options.open()) {
            List<Uploaded> uploaded = new Upload(store, expiry, console.progress()).upload(files, prefix, isForced);
            List<Map<String, Object>> lines =
                    uploaded.stream().map(UploadCommand::fields).toList();
            if (console.isJson()) {
                console.printJson(PrintedFields.of("objects", lines));
            } else {
                lines.forEach(console::printJson);
            }
            return 0;
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            if (!Files.isDirectory(path)) {
                files.add(path);
                continue;
            }
            Path manifest = path.resolve(ShardManifest.FILE_NAME);
            for (ShardManifest.Entry entry : ShardManifest.read(manifest).shards()) {
                files.add(path.resolve(entry.file()));
            }
            // Last: a reader who finds the manifest finds every shard that it names.
            files.add(manifest);
        }
        return files;
    }

    /** The names come from the original design; scripts read them. */
    static Map<String, Object> fields(Uploaded uploaded) {
        return PrintedFields.of(
                "bucket_name", uploaded.bucket(),
                "object_name", uploaded.name().text(),
                "url", uploaded.url().toString());
    }
}
