package org.fleetgrad.inference.web;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.shadow.PairFigures;
import org.fleetgrad.inference.shadow.Shadow;
import org.fleetgrad.inference.shadow.ShadowBudget;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How far the newest version disagrees with the one that answers. */
@RestController
class ShadowController {

    private final double share;
    private final Shadow shadow;
    private final ShadowBudget budget;

    ShadowController(InferenceProperties properties, Shadow shadow, ShadowBudget budget) {
        this.share = properties.shadowShare();
        this.shadow = shadow;
        this.budget = budget;
    }

    /** The pairs of versions that were compared; {@code openapi.yaml} explains each member. */
    record ShadowReply(
            int code,
            double share,
            long samples,
            long differing,
            long dropped,
            long shadowMs,
            long servedMs,
            List<PairReply> pairs) {}

    record PairReply(
            VersionReply served,
            VersionReply shadow,
            long samples,
            long differing,
            double disagreement,
            @Nullable Double difference) {}

    record VersionReply(String generation, long version) {

        static VersionReply of(ParameterVersion version) {
            return new VersionReply(version.generation(), version.version());
        }
    }

    @GetMapping("/shadow")
    ShadowReply shadow() {
        return new ShadowReply(
                200,
                share,
                shadow.samples(),
                shadow.differing(),
                shadow.dropped(),
                TimeUnit.NANOSECONDS.toMillis(budget.spentNanos()),
                TimeUnit.NANOSECONDS.toMillis(budget.servedNanos()),
                shadow.last().stream().map(ShadowController::pair).toList());
    }

    private static PairReply pair(PairFigures figures) {
        return new PairReply(
                VersionReply.of(figures.served()),
                VersionReply.of(figures.shadow()),
                figures.samples(),
                figures.differing(),
                figures.disagreement(),
                figures.difference().orElse(null));
    }
}
