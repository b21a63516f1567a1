package org.fleetgrad.ps.web.control;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /stagedGradients}. */
@RestController
record StagedController(Training training, Leases leases) {

    /** Lists the staged gradients of one worker, or of all departed workers, which cannot commit or drop them. */
    @GetMapping(Routes.STAGED_GRADIENTS)
    StagedGradientsReply staged(@RequestParam(name = "worker") Optional<String> worker) {
        Optional<String> of = worker.map(RequestMembers::workerId);
        List<StagedGradientsReply.Staged> staged = training.staged().stream()
                .filter(each -> of.map(each.worker()::equals).orElseGet(() -> !leases.isLive(each.worker())))
                .map(each -> new StagedGradientsReply.Staged(each.worker(), each.sequence()))
                .toList();
        return new StagedGradientsReply(200, staged);
    }
}
