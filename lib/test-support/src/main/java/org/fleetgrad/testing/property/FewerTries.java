package org.fleetgrad.testing.property;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Divides the tries of every property by the system property {@value #DIVISOR}, with a minimum of {@value #LEAST}. Without it, as
 * in {@code verify -Pwhole} and in an IDE, each property runs all its tries. jqwik finds this class by its name in
 * {@code META-INF/services}.
 */
public final class FewerTries implements AroundPropertyHook {

    static final String DIVISOR = "fleetgrad.tries.divisor";

    /** The minimum number of tries; a property with fewer runs all of them. */
    static final int LEAST = 20;

    /** Tries of a property that states no number: jqwik's own default. */
    private static final int USUAL = 1000;

    static int left(int tries, int divisor) {
        return Math.max(tries / divisor, Math.min(tries, LEAST));
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property)
            throws Throwable {
        int divisor = Integer.getInteger(DIVISOR, 1);
        if (divisor > 1) {
            PropertyAttributes attributes = context.attributes();
            attributes.setTries(left(attributes.tries().orElse(USUAL), divisor));
        }
        return property.execute();
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public boolean appliesTo(Optional<AnnotatedElement> element) {
        return true;
    }

    /** Outermost, so that all others see the reduced number of tries. */
    @Override
    public int aroundPropertyProximity() {
        return -100;
    }
}
