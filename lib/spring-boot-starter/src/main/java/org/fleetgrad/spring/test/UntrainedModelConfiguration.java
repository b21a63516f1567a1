package org.fleetgrad.spring.test;

import java.util.List;
import java.util.Objects;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportAware;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Makes the model of {@link UntrainedModel}. */
@Configuration(proxyBeanMethods = false)
class UntrainedModelConfiguration implements ImportAware {

    private static final long MEMORY_BYTES = 1 << 28;
    private static final ModelDescription DESCRIPTION =
            new ModelDescription(new Normalization(List.of(0.1307f), List.of(0.3081f)), List.of());

    private String network = "";
    private long seed;

    @Override
    public void setImportMetadata(AnnotationMetadata test) {
        MergedAnnotation<UntrainedModel> wanted = test.getAnnotations().get(UntrainedModel.class);
        network = Objects.requireNonNull(wanted.getString("network"));
        seed = wanted.getLong("seed");
    }

    @Bean
    LiveModel liveModel() {
        NetworkDefinition definition = Networks.named(network);
        LiveModel model = new LiveModel(new NetworkClassifiers(Device.CPU), served -> DESCRIPTION, MEMORY_BYTES);
        model.swapTo(
                new ParameterVersion("untrained", 1),
                TensorSet.ofFloats(
                        definition.spec().layout(),
                        definition.initialParameters(seed),
                        definition.spec().metadata()));
        return model;
    }
}
