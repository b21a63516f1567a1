package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;

/**
 * An action as it is stored. Its parameters are left out: they may be keys.
 *
 * @param namespace where it is
 * @param name      its name in there
 * @param version   grows with each change: {@code 0.0.1}
 * @param kind      {@code blackbox} where it is an image of its own
 * @param image     the image, where it is
 * @param limits    what an activation may use
 */
public record Action(
        String namespace, String name, String version, String kind, Optional<String> image, ActionLimits limits) {

    static Action read(Answer answer) throws OpenWhiskException {
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
                    "timeout", "with memory and logs, limits of an action (%s)".formatted(senseless.getMessage()));
        }
    }
}
