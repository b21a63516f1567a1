package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.VersionReply;
import org.fleetgrad.ps.evaluation.Evaluation;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /getVersion}. */
final class GetVersionServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient PublishedParameters published;
    private final transient Evaluations evaluations;

    GetVersionServlet(JsonMapper json, Training training, PublishedParameters published, Evaluations evaluations) {
        super("GET", json);
        this.training = training;
        this.published = published;
        this.evaluations = evaluations;
    }

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<ParameterVersion> newest = published.version();
        Optional<Evaluation> evaluation = evaluations.newest();
        response.setHeader("Cache-Control", "no-cache");
        writeJson(
                response,
                HttpServletResponse.SC_OK,
                new VersionReply(
                        HttpServletResponse.SC_OK,
                        newest.map(ParameterVersion::version).orElse(0L),
                        evaluation.map(Evaluation::accuracy).orElse(null),
                        evaluation.map(held -> held.version().version()).orElse(null),
                        training.generation(),
                        newest.isPresent()));
    }
}
