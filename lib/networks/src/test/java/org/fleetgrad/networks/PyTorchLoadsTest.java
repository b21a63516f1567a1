package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PyTorch's modules, or torchvision's if it has them, load the parameter sets of every network with {@code strict=True}. */
@Tag("whole")
class PyTorchLoadsTest {

    private static final Path ZOO = RepositoryRoot.path().resolve("lib/libtorch/src/test/python");

    /** Values do not matter here, and those of VGG-19 alone would be 575 MB. */
    private static final String TAKE_SHAPES = """
            import pathlib, sys, torch
            sys.path.insert(0, sys.argv[1])
            import zoo
            for file in sys.argv[2:]:
                tensors = {}
                for line in pathlib.Path(file).read_text().splitlines():
                    name, *shape = line.split()
                    tensors[name] = torch.empty([int(side) for side in shape], device="meta")
                with torch.device("meta"):
                    network = zoo.usual(file)
                print(file, zoo.load(network, tensors))
            """;

    private static final String LOAD_AND_SAVE = """
            import sys
            sys.path.insert(0, sys.argv[1])
            import zoo
            from safetensors.torch import load_file, save_file
            for file in sys.argv[2:]:
                network = zoo.small(file)
                print(file, zoo.load(network, load_file(file)))
                save_file(zoo.saved(network), file + ".again")
            """;

    private static final String FITS = " <All keys matched successfully>\n";

    @TempDir
    private Path folder;

    @Test
    void shouldFitTheModulesOfPyTorchByNamesAndShapes() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(ZOO.toString()));
        for (String name : Networks.names()) {
            String lines = Networks.usual(name).spec().layout().specs().stream()
                    .map(tensor -> tensor.name()
                            + tensor.shape().stream().map(side -> " " + side).collect(Collectors.joining()))
                    .collect(Collectors.joining("\n"));
            Files.writeString(folder.resolve(name), lines);
            arguments.add(name);
        }

        String loaded = Python.runWithTorchvision(folder, TAKE_SHAPES, arguments.toArray(String[]::new));

        assertThat(loaded)
                .isEqualTo(Networks.names().stream().map(name -> name + FITS).collect(Collectors.joining()));
    }

    @Test
    void shouldBeLoadedByPyTorchWithTheirValues() throws Exception {
        List<String> names = List.of(
                "lenet5",
                "mnist-cnn",
                "mlp",
                "resnet20",
                "resnet32",
                "resnet44",
                "resnet56",
                "resnet110",
                "resnet18",
                "vgg11",
                "vgg11_bn",
                "wrn-16-4",
                "bert?classes=4&context=12&dropout=0&heads=4&layers=2&padding=0&positions=16&vocabulary=40&width=32",
                "gpt2?context=16&dropout=0&heads=4&layers=2&tied=yes&vocabulary=40&width=32",
                "gpt2?context=16&dropout=0&heads=2&layers=3&tied=no&vocabulary=30&width=24",
                "vit?classes=10&dropout=0&heads=4&input=3x32x32&layers=2&patch=8&width=64");
        List<String> arguments = new ArrayList<>(List.of(ZOO.toString()));
        for (String name : names) {
            NetworkDefinition network = small(name);
            TensorSet set = TensorSet.ofFloats(
                    network.spec().layout(),
                    network.initialParameters(3),
                    network.spec().metadata());
            Files.write(folder.resolve(name), Safetensors.encode(set).array());
            arguments.add(name);
        }

        String loaded = Python.runWithTorchvision(folder, LOAD_AND_SAVE, arguments.toArray(String[]::new));

        assertThat(loaded).isEqualTo(names.stream().map(name -> name + FITS).collect(Collectors.joining()));
        for (String name : names) {
            TensorSet again = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name + ".again"))));
            NetworkDefinition network = small(name);
            for (String tensor : network.spec().layout().specs().stream()
                    .map(spec -> spec.name())
                    .toList()) {
                float[] values = network.initialValues(tensor, 3);
                assertThat(again.bytes(tensor).orElseThrow().asFloatBuffer().mismatch(FloatBuffer.wrap(values)))
                        .as("%s of %s", tensor, name)
                        .isEqualTo(-1);
            }
        }
    }

    private static NetworkDefinition small(String name) {
        if (name.contains("?")) {
            return Networks.named(name);
        }
        List<Integer> usual = Networks.usual(name).spec().inputShape();
        return Networks.named(name, usual.get(0) == 1 ? usual : List.of(3, 32, 32), 10);
    }
}
