package org.fleetgrad.inference.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.util.List;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.infer.OpenInference;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.LiveModel.ServedVersion;
import org.fleetgrad.serving.policy.WantedVersion;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The models that completions accept by name, as OpenAI's API lists them: one, or none while a classifier is served. */
@RestController
class LanguageModelsController {

    static final String PATH = "/v1/models";

    private static final String OWNER = "fleetgrad";

    private final LiveModel model;
    private final Refusals refusals;
    private final String name;
    private final long created;

    LanguageModelsController(LiveModel model, Refusals refusals, InferenceProperties properties, Clock clock) {
        this.model = model;
        this.refusals = refusals;
        this.name = properties.modelName();
        this.created = clock.instant().getEpochSecond();
    }

    record ListReply(String object, List<ModelReply> data) {}

    /**
     * A model.
     *
     * @param created    when this service began to serve it, in seconds since 1970: its versions come and go
     * @param version    the one that answers now; {@code generation} is its generation
     */
    record ModelReply(
            String id,
            String object,
            long created,
            @JsonProperty("owned_by") String ownedBy,
            long version,
            String generation) {}

    @GetMapping(PATH)
    ListReply list() {
        return new ListReply(
                "list",
                model.served().filter(served -> served.network().continuesTexts()).map(this::reply).stream()
                        .toList());
    }

    @GetMapping(PATH + "/{model}")
    ModelReply model(@PathVariable("model") String requested) {
        OpenInference.requireModel(name, requested);
        ServedVersion served =
                model.served().orElseThrow(() -> refusals.refused(model.refusal(WantedVersion.BY_POLICY)));
        if (!served.network().continuesTexts()) {
            throw new RequestRefused(
                    ProblemKind.NOT_FOUND,
                    "there is no language model: '%s' is the network %s, which takes %s and does not continue texts"
                            .formatted(
                                    name,
                                    served.network().name(),
                                    served.network().samples()));
        }
        return reply(served);
    }

    private ModelReply reply(ServedVersion served) {
        return new ModelReply(
                name,
                "model",
                created,
                OWNER,
                served.version().version(),
                served.version().generation());
    }
}
