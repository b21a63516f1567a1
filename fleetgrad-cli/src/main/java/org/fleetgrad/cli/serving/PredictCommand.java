package org.fleetgrad.cli.serving;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code fleetgrad predict}. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Asks a served model about an image, a row, a series or a text.",
            "FILE is a PNG or JPEG file, safetensors, JSON, or a text. A JSON object is a row by its columns, an array of"
                    + " them several rows; a whole body of /predict, such as {\"images\": [...]}, is sent as it is."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad predict docs/digit.png",
            "  fleetgrad predict row.json --json",
            "  echo 'a fine film' | fleetgrad predict -"
        })
public final class PredictCommand implements Callable<Integer> {

    private static final String STDIN = "-";
    /** More than a service takes, which says so itself. */
    private static final int MOST_BYTES = 1 << 27;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file to ask about, or - for the standard input")
    private String file = STDIN;

    @Option(
            names = "--model-version",
            paramLabel = "VERSION",
            description = "Held version that answers, such as 1180 (default: the one that the policy chooses)")
    private @Nullable String version;

    @Option(
            names = "--invert",
            description = "Invert the pixels: of dark ink on white paper, for a model of white digits")
    private boolean invert;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        byte[] content = read();
        ServedModel model = service.model();
        PredictionBody body = PredictionBody.of(content, () -> model.get("/status"));
        JsonNode answer = model.post("/predict" + query(), body.mediaType(), body.bytes());
        service.print(service.isJson() ? answer.toString() : PredictionText.of(answer));
        return 0;
    }

    private String query() {
        List<String> query = new ArrayList<>();
        if (version != null) {
            query.add("version=" + URLEncoder.encode(version, StandardCharsets.UTF_8));
        }
        if (invert) {
            query.add("invert=true");
        }
        return query.isEmpty() ? "" : "?" + String.join("&", query);
    }

    private byte[] read() throws RunFailedException {
        byte[] content;
        try (InputStream in = file.equals(STDIN) ? System.in : Files.newInputStream(Path.of(file))) {
            content = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw RunFailedException.input("%s cannot be read: %s".formatted(file, unreadable));
        }
        if (content.length == 0 || content.length > MOST_BYTES) {
            throw RunFailedException.input("%s %s"
                    .formatted(
                            file.equals(STDIN) ? "the standard input" : file,
                            content.length == 0
                                    ? "is empty"
                                    : "has more than %,d bytes, the most of a request".formatted(MOST_BYTES)));
        }
        return content;
    }
}
