package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkProvider;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;

/** Provides the networks of this package. */
public final class Zoo implements NetworkProvider {

    @Override
    public List<NetworkFamily> families() {
        return List.of(
                new LeNet5(),
                new MnistCnn(),
                new Mlp(),
                new ResNet(),
                new CifarResNet(),
                new WideResNet(),
                new Vgg(),
                new VisionTransformer(),
                new Gpt2(),
                new Bert(),
                new Tabular(),
                new Series());
    }

    /** The defaults of the networks for MNIST's images. */
    interface Small extends NetworkFamily {

        @Override
        default Task usual(String base) {
            return new ImageClassification(List.of(1, 28, 28), 10);
        }
    }

    /** The defaults of the networks for ImageNet's images. */
    interface LargeImages extends NetworkFamily {

        /** Returns whether images are small, at most 64 pixels a side: these networks then have CIFAR's layers. */
        static boolean areSmall(List<Integer> input) {
            return Math.max(input.get(1), input.get(2)) <= 64;
        }

        @Override
        default Task usual(String base) {
            return new ImageClassification(List.of(3, 224, 224), 1000);
        }
    }
}
