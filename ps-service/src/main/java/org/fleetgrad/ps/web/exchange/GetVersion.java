package org.fleetgrad.ps.web.exchange;

import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.springframework.stereotype.Component;

/** {@code GET /getVersion}. */
@Component
record GetVersion(Training training, PublishedParameters published, Evaluations evaluations)
        implements ExchangeHandler {

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return Routes.GET_VERSION;
    }

    @Override
    public void handle(Exchange exchange) {
        Optional<ParameterVersion> newest = published.version();
        Optional<HeldOutResult> evaluation = evaluations.newest();
        exchange.setHeader(SnapshotResponse.NO_CACHE);
        exchange.json(
                HttpStatus.OK_200,
                new VersionReply(
                        HttpStatus.OK_200,
                        newest.map(ParameterVersion::version).orElse(0L),
                        evaluation.flatMap(HeldOutResult::accuracy).orElse(null),
                        evaluation.flatMap(HeldOutResult::loss).orElse(null),
                        evaluation.flatMap(HeldOutResult::text).orElse(null),
                        evaluation.map(held -> held.version().version()).orElse(null),
                        training.generation(),
                        newest.isPresent()));
    }
}
