package org.fleetgrad.ps.web.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply;
import org.fleetgrad.ps.PsProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /earlierRuns}: what whoever began this run wrote into a file of the others. It is read once. */
@RestController
class EarlierRunsController {

    private static final Logger LOG = LoggerFactory.getLogger(EarlierRunsController.class);
    private static final EarlierRunsReply NONE = new EarlierRunsReply(200, List.of());

    /** Room for all points that a reply may have, as JSON. */
    private static final long MOST_BYTES = 1 << 20;

    private final EarlierRunsReply reply;

    EarlierRunsController(PsProperties properties, JsonMapper json) {
        this.reply = Optional.ofNullable(properties.earlierRuns())
                .map(file -> read(file, json))
                .orElse(NONE);
    }

    /** A run without these curves is the same run: what is wrong with the file is logged. */
    private static EarlierRunsReply read(Path file, JsonMapper json) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("it has %d bytes, and may have %d".formatted(Files.size(file), MOST_BYTES));
            }
            EarlierRunsReply read = json.readValue(Files.readAllBytes(file), EarlierRunsReply.class);
            boolean isBounded = read.runs().size() <= EarlierRunsReply.MOST_RUNS
                    && read.runs().stream()
                            .allMatch(run ->
                                    !run.name().isBlank() && run.points().size() <= EarlierRunsReply.MOST_POINTS);
            if (!isBounded) {
                throw new IOException("it has more than %d runs with names, or one has more than %d points"
                        .formatted(EarlierRunsReply.MOST_RUNS, EarlierRunsReply.MOST_POINTS));
            }
            return new EarlierRunsReply(200, read.runs());
        } catch (IOException | JacksonException unreadable) {
            LOG.warn("ps.earlier-runs: {} is not shown: {}", file, unreadable.getMessage());
            return NONE;
        }
    }

    @GetMapping(Routes.EARLIER_RUNS)
    EarlierRunsReply runs() {
        return reply;
    }
}
