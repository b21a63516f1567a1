package org.fleetgrad.inference;

import java.time.Clock;
import java.util.Optional;
import org.fleetgrad.following.Loop;
import org.fleetgrad.following.ParameterServer;
import org.fleetgrad.inference.evaluation.AwaitedTestSet;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.inference.evaluation.NewestParameters;
import org.fleetgrad.inference.evaluation.TestSetReader;
import org.fleetgrad.inference.evaluation.TestShardLocation;
import org.fleetgrad.serving.Classifiers;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The beans that exist only with held-out samples. The start decides that, not the build as of generated definitions (ADR 54). */
class EvaluatingBeans implements BeanRegistrar {

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        if (!StringUtils.hasText(environment.getProperty("inference.test-shard"))) {
            return;
        }
        registry.registerBean(
                AwaitedTestSet.class, bean -> bean.supplier(beans -> testSet(beans.bean(InferenceProperties.class))));
        registry.registerBean(NewestParameters.class, bean -> bean.supplier(beans -> new NewestParameters()));
        registry.registerBean(BackgroundEvaluation.class, bean -> bean.supplier(EvaluatingBeans::evaluation));
        registry.registerBean(
                "evaluating",
                Loop.class,
                bean -> bean.supplier(beans -> started(beans.bean(BackgroundEvaluation.class))));
    }

    private static AwaitedTestSet testSet(InferenceProperties properties) {
        TestShardLocation location = Optional.ofNullable(properties.testShard()).orElseThrow();
        AwaitedTestSet testSet = new AwaitedTestSet(new TestSetReader(location, System::getenv));
        if (location instanceof TestShardLocation.Local) {
            // A local file is read before the first version; a remote one must not delay the start.
            Optional<TestSet> unused = testSet.poll();
        }
        return testSet;
    }

    private static BackgroundEvaluation evaluation(BeanRegistry.SupplierContext beans) {
        InferenceProperties properties = beans.bean(InferenceProperties.class);
        return new BackgroundEvaluation(
                beans.bean(AwaitedTestSet.class),
                properties.evaluationMemory().toBytes(),
                beans.bean(Classifiers.class),
                beans.bean(NewestParameters.class),
                beans.bean(HeldOutScores.class),
                beans.bean(ParameterServer.class)::report,
                properties.evaluationPace(),
                beans.bean(ParameterServer.class)::isTraining,
                beans.bean(Clock.class));
    }

    /** Its own thread ends the evaluation after the last round. */
    private static Loop started(BackgroundEvaluation evaluation) {
        Loop loop = new Loop("evaluate", evaluation::round, evaluation::end);
        loop.start();
        return loop;
    }
}
