package org.fleetgrad.benchmarks.pictures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.pipeline.timeline.TimelineSvg;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code pipeline-pictures}. */
@Command(
        name = "pipeline-pictures",
        mixinStandardHelpOptions = true,
        description = "Draws the timelines of docs/pipeline-cures.md from a simulation of each schedule.")
public final class PicturesCommand implements Callable<Integer> {

    private static final int WIDTH = 900;
    private static final Path FOLDER = Path.of("docs", "pipeline");

    /** A page shows a picture as an image, in which nothing can be pointed at. */
    private static final Pattern HINT = Pattern.compile("<title>[^<]*</title>");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write to this folder (default: docs/pipeline of the checkout)")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createDirectories(out != null ? out : Programs.HOME.resolve(FOLDER));
        for (Picture picture : Picture.values()) {
            AtomicFile.write(folder.resolve(picture.fileName()), draw(picture).getBytes(StandardCharsets.UTF_8));
        }
        return 0;
    }

    static String draw(Picture picture) {
        return HINT.matcher(TimelineSvg.draw(picture.timeline(), WIDTH)).replaceAll("");
    }
}
