package org.fleetgrad.cli.help;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The heading under which the help of a command lists an option, or all options of a class that have none of their own. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface HelpGroup {

    Topic value();

    /** The headings, in their order. */
    enum Topic {
        DATA("Data"),
        NETWORK("Network and device"),
        BEGINNING("Begin from a model or a run"),
        TRAINING("Training"),
        OPTIMIZER("Optimizer"),
        END("When it ends"),
        STAGES("Stages"),
        CURES("Delay of a pipeline's gradients, and its cures"),
        WORKERS("Workers"),
        SERVER("Parameter server"),
        EXCHANGE("Exchange of gradients and parameters"),
        SERVING("Serving while it trains"),
        RECORD("Names, notes and tracking"),
        PRICES("Prices and baselines"),
        OUTPUT("Output");

        private final String heading;

        Topic(String heading) {
            this.heading = heading;
        }

        String heading() {
            return heading;
        }
    }
}
