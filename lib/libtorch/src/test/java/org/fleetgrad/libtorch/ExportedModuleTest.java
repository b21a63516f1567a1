package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.layer.GraphLayer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks that python/fleetgrad_export.py made, beside PyTorch: logits, loss and each value of each gradient. */
@Tag("whole")
class ExportedModuleTest {

    @TempDir
    private Path folder;

    @Test
    void shouldComputeEachOperatorAsPyTorchDoes() throws Exception {
        assertThat(ExportedModule.export(folder, "every_operator:EveryOperator", "3x12x12", 5))
                .isEqualTo("written");

        ExportedModule module = ExportedModule.open(folder);

        module.requireSame();
        Set<String> used = module.definition().layers().parts().stream()
                .map(part -> ((GraphLayer) part.layer()).graph())
                .map(Graph::nodes)
                .flatMap(List::stream)
                .map(node -> node.operation().getClass().getSimpleName())
                .collect(Collectors.toSet());
        assertThat(used)
                .contains(
                        "Adaptive",
                        "Arithmetic",
                        "Attention",
                        "BatchNorm",
                        "Cat",
                        "Clamp",
                        "Constant",
                        "Convolution",
                        "Elu",
                        "Expand",
                        "GroupNorm",
                        "LayerNorm",
                        "LeakyRelu",
                        "Linear",
                        "MatMul",
                        "Pad",
                        "Permute",
                        "Reduction",
                        "Reshape",
                        "Rows",
                        "Slice",
                        "Softmax",
                        "Unary",
                        "Window");
    }

    @Test
    void shouldRefuseMemoryThatIsChangedWhileAnotherViewIsRead() throws Exception {
        assertThat(ExportedModule.export(folder, "every_operator:SharedMemory", "12", 4))
                .startsWith("refused: ")
                .contains("every_operator.py", "in place");
    }

    @Test
    void shouldRefuseAConstantThatIsChangedToComputedValues() throws Exception {
        assertThat(ExportedModule.export(folder, "every_operator:ChangedConstant", "3x2x2", 4))
                .startsWith("refused: ")
                .contains("every_operator.py", "it changes a constant in place to values that are computed");
    }

    @Test
    void shouldRefuseAnOperatorThatIsNotThereWithItsLineAndTheList() throws Exception {
        assertThat(ExportedModule.export(folder, "every_operator:Unknown", "3x2x2", 4))
                .startsWith("refused: ")
                .contains("aten.cumsum", "every_operator.py", "line ", "conv2d.default");
    }

    /** The images are as small as a network takes: some need seconds for each batch of larger ones. */
    @ParameterizedTest
    @CsvSource({
        "resnet18, 3x64x64",
        "efficientnet_b0, 3x64x64",
        "convnext_tiny, 3x32x32",
        "densenet121, 3x64x64",
        "mobilenet_v3_small, 3x48x48",
        "regnet_y_400mf, 3x64x64",
        "shufflenet_v2_x0_5, 3x48x48",
        "squeezenet1_1, 3x64x64",
        "mnasnet0_5, 3x48x48",
        "swin_t, 3x64x64"
    })
    void shouldComputeNetworksOfTorchvisionAsPyTorchDoes(String name, String shape) throws Exception {
        assertThat(ExportedModule.export(folder, "torchvision.models:" + name, shape, 4, "num_classes=10"))
                .isEqualTo("written");

        ExportedModule.open(folder).requireSame();
    }

    /** MaxViT-T with one block in each stage and windows of 2 places in place of 7, so that small images do. */
    @Test
    void shouldComputeAVisionTransformerOfWindowsAndGridsAsPyTorchDoes() throws Exception {
        assertThat(ExportedModule.export(
                        folder,
                        "torchvision.models.maxvit:MaxVit",
                        "3x64x64",
                        4,
                        "input_size=(64,64)",
                        "stem_channels=64",
                        "partition_size=2",
                        "block_channels=[64,128,256,512]",
                        "block_layers=[1,1,1,1]",
                        "head_dim=32",
                        "stochastic_depth_prob=0.2",
                        "num_classes=10"))
                .isEqualTo("written");

        ExportedModule.open(folder).requireSame();
    }
}
