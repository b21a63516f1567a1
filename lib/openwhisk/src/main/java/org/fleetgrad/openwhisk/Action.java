package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;

/**
 * A stored action, without its parameters, which may be keys.
 *
 * @param namespace its namespace
 * @param name      its name in the namespace
 * @param version   increases with each change, such as {@code 0.0.1}
 * @param kind      {@code blackbox} if the action is a container image
 * @param image     the image, if the action is one
 * @param limits    the limits of an activation
 */
public record Action(
        String namespace, String name, String version, String kind, Optional<String> image, ActionLimits limits) {

    static Action read(WhiskResponse answer) throws OpenWhiskException {
        Fields action = Fields.of(answer);
        Fields exec = action.object("exec");
        return new Action(
                action.text("namespace"),
                action.text("name"),
                action.text("version"),
                exec.text("kind"),
                exec.optionalText("image"),
                limits(action.object("limits")));
    }

    private static ActionLimits limits(Fields limits) throws OpenWhiskException {
        try {
            return new ActionLimits(
                    Duration.ofMillis(limits.count("timeout")),
                    Math.toIntExact(limits.count("memory")),
                    Math.toIntExact(limits.count("logs")));
        } catch (IllegalArgumentException | ArithmeticException senseless) {
            throw limits.wrong(
                    "timeout",
                    "together with memory and logs, the limits of an action (%s)".formatted(senseless.getMessage()));
        }
    }
}
