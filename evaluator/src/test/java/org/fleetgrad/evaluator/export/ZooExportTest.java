package org.fleetgrad.evaluator.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks of the zoo with random parameters, in onnxruntime beside libtorch. */
class ZooExportTest {

    /** Rounding alone: the verification of an export allows ten times as much. */
    private static final double MOST = 1e-5;

    private static final Map<String, String> SCALED =
            Map.of(MetadataKeys.NORMALIZATION, "{\"mean\":[0.4,0.5,0.6],\"std\":[0.2,0.25,0.3]}");
    private static final Map<String, String> GREY =
            Map.of(MetadataKeys.NORMALIZATION, "{\"mean\":[0.13],\"std\":[0.31]}");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "mlp"})
    void shouldAnswerOnGreyImagesAsLibtorchDoes(String network) throws Exception {
        requireSame(network, GREY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resnet20",
                "resnet18?input=3x32x32&classes=10",
                "resnet50?input=3x16x16&classes=10&stem=imagenet",
                "wrn-16-4?input=3x16x16&dropout=0.3",
                "vgg11_bn?input=3x32x32&classes=10",
                "vit?input=3x16x16&layers=2",
                "vit_b_16?input=3x32x48&classes=10&layers=2&heads=2&width=32"
            })
    void shouldAnswerOnColouredImagesAsLibtorchDoes(String network) throws Exception {
        requireSame(network, SCALED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpt2?layers=2&heads=2&width=32&context=16&vocabulary=50",
                "gpt2?layers=1&heads=4&width=32&context=16&vocabulary=50&tied=no",
                "bert?layers=2&heads=2&width=32&context=16&vocabulary=50&classes=3&padding=0&positions=20"
            })
    void shouldAnswerOnTextsAsLibtorchDoes(String network) throws Exception {
        requireSame(network, Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "series?input=3x50&classes=4&layers=3",
                "series?input=2x20&kind=lstm&hidden=16&layers=2&loss=squared",
                "series?input=2x20&kind=lstm&hidden=16&layers=1",
                "tabular?numbers=4&categories=20,30&classes=3",
                "tabular?numbers=0&categories=20&labels=4",
                "tabular-resnet?numbers=5&loss=huber&width=16"
            })
    void shouldAnswerOnRowsAndSeriesAsLibtorchDoes(String network) throws Exception {
        requireSame(network, Map.of());
    }

    /** The whole list: of transformers one small layer, and of images those of 64 pixels. */
    @Test
    @Tag("whole")
    void shouldExportEachNetworkOfTheList() throws Exception {
        for (String name : Networks.names()) {
            requireSame(name + small(name), Map.of());
        }
    }

    private static String small(String name) {
        if (name.startsWith("gpt2") || name.startsWith("bert")) {
            return "?layers=1&width=64&heads=4&context=16&vocabulary=50";
        }
        if (name.startsWith("vit")) {
            return "?layers=1&width=64&heads=4";
        }
        return Networks.usualTask(NetworkName.parse(name)).input().equals(List.of(3, 224, 224))
                ? "?input=3x64x64&classes=10"
                : "";
    }

    private void requireSame(String text, Map<String, String> described) throws Exception {
        NetworkDefinition definition = Networks.usual(text);
        Map<String, String> metadata = new TreeMap<>(definition.spec().metadata());
        metadata.putAll(described);
        TensorSet parameters =
                TensorSet.ofFloats(definition.spec().layout(), RandomParameters.of(definition), metadata);
        VerifiedExport export = VerifiedExport.of(parameters);
        ComparedSamples few = export.random();

        Comparison found =
                export.write(folder.resolve("m.onnx"), new ComparedSamples("", Math.min(few.count(), 4), few.reader()));

        assertThat(found.relative()).as("%s: %s", text, found).isLessThan(MOST);
        assertThat(found.size()).as(text).isPositive();
    }
}
