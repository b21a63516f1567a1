package org.fleetgrad.cli.serving;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code fleetgrad policy}. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows or changes which version of a served model answers.",
            "Without POLICY it shows the policy and the held versions. docs/inference.md explains the policies."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad policy",
            "  fleetgrad policy best",
            "  fleetgrad policy gate 0.01",
            "  fleetgrad policy pinned 1180"
        })
public final class PolicyCommand implements Callable<Integer> {

    private static final String SHOW = "show";

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "POLICY",
            defaultValue = SHOW,
            description = "show, newest (or latest), previous, best, gate or pinned (default: ${DEFAULT-VALUE})")
    private String name = SHOW;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "VALUE",
            description =
                    "Of pinned: a held version, such as 1180; of gate: the largest difference to the best, such as 0.01")
    private @Nullable String value;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        String policy = policy();
        JsonNode answer = policy.equals(SHOW)
                ? service.model().get("/policy")
                : service.model().put("/policy", Map.of("policy", policy));
        service.print(service.isJson() ? answer.toString() : PolicyText.of(answer));
        return 0;
    }

    /** Returns the policy as the service writes it; the service checks the rest. */
    private String policy() {
        String given = value;
        return switch (name) {
            case SHOW, "previous", "best" -> alone(name, given);
            case "newest", "latest" -> alone("latest", given);
            case "pinned" -> name + ":" + required(given, "a version, such as: fleetgrad policy pinned 1180");
            case "gate" -> name + ":" + required(given, "a difference, such as: fleetgrad policy gate 0.01");
            default -> {
                if (name.startsWith("pinned:") || name.startsWith("gate:")) {
                    yield alone(name, given);
                }
                throw misused(
                        "POLICY must be show, newest, previous, best, gate or pinned; it is '%s'".formatted(name));
            }
        };
    }

    private String alone(String policy, @Nullable String given) {
        if (given != null) {
            throw misused("%s takes no value; given is '%s'".formatted(name, given));
        }
        return policy;
    }

    private String required(@Nullable String given, String what) {
        if (given == null) {
            throw misused("%s needs %s".formatted(name, what));
        }
        return given;
    }

    private ParameterException misused(String message) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
}
