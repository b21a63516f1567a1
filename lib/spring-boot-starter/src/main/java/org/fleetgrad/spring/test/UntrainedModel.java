package org.fleetgrad.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Gives a test of an application a {@code LiveModel} that answers, without a parameter server: a network with its initial
 * parameters, which is served as version 1 of the generation {@code untrained}. Its answers are the same in each run. The
 * application's own model is not configured, in a slice such as {@code @WebMvcTest} nor in {@code @SpringBootTest}. A test that
 * needs certain answers gives the model its own parameters, by {@code LiveModel.swapTo}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(UntrainedModelConfiguration.class)
public @interface UntrainedModel {

    /** Returns the complete name of the network; {@code ./fleetgrad networks} lists them. */
    String network() default "lenet5?classes=10&input=1x28x28";

    /** Returns the seed of the initial parameters. */
    long seed() default 0;
}
