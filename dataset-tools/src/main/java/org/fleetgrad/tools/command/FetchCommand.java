package org.fleetgrad.tools.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.fleetgrad.tools.fetch.DownloadRetry;
import org.fleetgrad.tools.fetch.Fetch;
import org.fleetgrad.tools.fetch.Fetch.FetchedFile;
import org.fleetgrad.tools.fetch.PublishedDataset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fetches a published dataset. */
@Command(
        name = "fetch",
        description = "Downloads a published dataset, or resumes its download, and checks it against pinned checksums.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} mnist --out data/mnist",
            "  ${COMMAND-FULL-NAME} cifar10 --out data/cifar10",
            "  ${COMMAND-FULL-NAME} fashion-mnist --out data/fashion --base-url https://mirror.example/fashion/"
        })
public final class FetchCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Parameters(
            paramLabel = "DATASET",
            description = "One of: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Names.class)
    private String name = "";

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Write to this folder.")
    private Path folder = Path.of("");

    @Option(names = "--base-url", paramLabel = "URL", description = "Address of a mirror with the same files.")
    private @Nullable URI baseUrl;

    @Option(names = "--force", description = "Overwrite existing files that have other content.")
    private boolean isForced;

    /** The known names, for help and completion. */
    static final class Names implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return PublishedDataset.all().stream().map(PublishedDataset::name).iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        PublishedDataset published = PublishedDataset.named(name)
                .orElseThrow(() -> console.usage("'%s' is not a known dataset; known are %s"
                        .formatted(
                                name,
                                PublishedDataset.all().stream()
                                        .map(PublishedDataset::name)
                                        .toList())));
        PublishedDataset dataset = baseUrl == null ? published : published.at(httpUrl(baseUrl));
        List<FetchedFile> files = new Fetch(DownloadRetry.DEFAULT, console.progress()).fetch(dataset, folder, isForced);
        if (console.isJson()) {
            List<Map<String, Object>> json = new ArrayList<>();
            for (FetchedFile file : files) {
                json.add(PrintedFields.of(
                        "file", file.path().toString(),
                        "bytes", file.bytes(),
                        "checksum", "SHA-256 " + file.sha256(),
                        "cached", file.isCached()));
            }
            console.printJson(PrintedFields.of("dataset", dataset.name(), "files", json));
        } else {
            for (FetchedFile file : files) {
                console.print(
                        "%s\t%d\t%s".formatted(file.path(), file.bytes(), file.isCached() ? "cached" : "fetched"));
            }
        }
        return 0;
    }

    private URI httpUrl(URI url) {
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw console.usage("--base-url must be an http or https address, not '%s'".formatted(url));
        }
        return url;
    }
}
