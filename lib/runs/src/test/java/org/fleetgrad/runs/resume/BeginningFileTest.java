package org.fleetgrad.runs.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BeginningFileTest {

    private static final NetworkDefinition RESNET20 = Networks.usual("resnet20");
    private static final int SEED = 5;

    @TempDir
    private Path folder;

    private static ShardManifest cifar(int classes) {
        Normalization normalization = new Normalization(List.of(0.5f, 0.25f, 0.125f), List.of(1f, 2f, 3f));
        return new ShardManifest(
                "cifar%d".formatted(classes),
                new ImageSchema(ClassNames.numbers(classes), List.of(3, 32, 32), normalization),
                List.of());
    }

    private static BeginningFile of(String network, boolean newHead, int classes) {
        return new BeginningFile(
                network.isEmpty() ? Optional.empty() : Optional.of(network), newHead, cifar(classes), SEED);
    }

    /** A file of a network, as PyTorch would save it: no metadata, and a count of batches beside each running mean. */
    private static TensorSet stateDict(NetworkDefinition network) {
        List<TensorSpec> specs = new ArrayList<>(network.spec().layout().specs());
        network.spec().state().momenta().keySet().stream()
                .filter(tensor -> tensor.endsWith("running_mean"))
                .map(tensor -> tensor.replace("running_mean", "num_batches_tracked"))
                .forEach(tensor -> specs.add(new TensorSpec(tensor, DType.I64, List.of())));
        TensorLayout layout = TensorLayout.inOrder(specs);
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(network.initialParameters(1));
        return new TensorSet(layout, data, Map.of());
    }

    private Path write(TensorSet set) throws IOException {
        return Files.write(
                folder.resolve("given.safetensors"), Safetensors.encode(set).array());
    }

    private static TensorSet read(String file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(Path.of(file))));
    }

    private TensorSet begin(BeginningFile beginning, TensorSet given) throws Exception {
        return read(beginning.sources(write(given), 1, folder.resolve("run")).get(0));
    }

    private static float[] values(TensorSet set, String tensor) {
        ByteBuffer bytes = set.bytes(tensor).orElseThrow();
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }

    @Test
    void shouldGiveAStateDictTheMetadataOfARun() throws Exception {
        TensorSet begun = begin(of("resnet20", false, 10), stateDict(RESNET20));

        assertThat(begun.layout()).isEqualTo(RESNET20.spec().layout());
        assertThat(begun.toFloats(begun.layout())).isEqualTo(RESNET20.initialParameters(1));
        assertThat(begun.metadata())
                .containsOnlyKeys("network", "state", "dataset", "classes", "normalization", "seed")
                .containsEntry("network", "resnet20?classes=10&input=3x32x32")
                .containsEntry("state", RESNET20.spec().state().text())
                .containsEntry("dataset", "cifar10")
                .containsEntry("seed", "5");
    }

    @Test
    void shouldCutAStateDictForSeveralServers() throws Exception {
        List<TensorSet> parts = new ArrayList<>();
        for (String source : of("resnet20", false, 10).sources(write(stateDict(RESNET20)), 3, folder)) {
            parts.add(read(source));
        }

        assertThat(parts).hasSize(3);
        assertThat(Partitioning.joined(parts).toFloats(RESNET20.spec().layout()))
                .isEqualTo(RESNET20.initialParameters(1));
    }

    @Test
    void shouldPassOnAFileThatHasAllAlready() throws Exception {
        TensorSet first = begin(of("resnet20", false, 10), stateDict(RESNET20));
        Map<String, String> trained = new TreeMap<>(first.metadata());
        trained.putAll(Map.of("version", "7", "generation", "g", "seed", "3"));
        Path file = write(new TensorSet(first.layout(), first.data(), trained));

        assertThat(of("", false, 10).sources(file, 1, folder.resolve("other"))).containsExactly(file.toString());
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void shouldRefuseAHeadOfAnotherSizeAndDrawItAnewOnDemand() throws Exception {
        TensorSet given = stateDict(Networks.usual("resnet20?classes=100"));

        assertThatThrownBy(() -> begin(of("resnet20", false, 10), given))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--from %s: its head 'fc.weight' has shape [100, 64], the network 'resnet20?classes=10&input=3x32x32' has [10, 64]: pass --new-head to initialize a new head for 10 classes, or --network \"resnet20?classes=100&input=3x32x32\" to keep its 100"
                                .formatted(folder.resolve("given.safetensors")));
        TensorSet begun = begin(of("resnet20", true, 10), given);
        assertThat(values(begun, "fc.weight")).isEqualTo(RESNET20.initialValues("fc.weight", SEED));
        assertThat(values(begun, "fc.bias")).isEqualTo(RESNET20.initialValues("fc.bias", SEED));
        assertThat(values(begun, "layer3.2.conv2.weight")).isEqualTo(values(given, "layer3.2.conv2.weight"));
    }

    @Test
    void shouldOfferNoHeadThatIsTooSmall() throws Exception {
        assertThatThrownBy(() -> begin(of("resnet20", false, 100), stateDict(RESNET20)))
                .hasMessageEndingWith("has [100, 64]: pass --new-head to initialize a new head for 100 classes");
        TensorSet ours = begin(of("resnet20", false, 10), stateDict(RESNET20));
        assertThatThrownBy(() -> begin(of("", false, 100), ours))
                .hasMessageEndingWith(
                        "its head is for 10 classes, the dataset cifar100 has 100: pass --new-head to initialize a new head");

        TensorSet anew = begin(of("", true, 100), ours);
        assertThat(anew.metadata())
                .containsEntry("network", "resnet20?classes=100&input=3x32x32")
                .containsEntry("dataset", "cifar100");
        assertThat(values(anew, "fc.weight")).hasSize(6400);
    }

    @Test
    void shouldNameTheFirstTensorOfAnotherNetwork() throws IOException {
        Path file = write(stateDict(Networks.usual("resnet18?classes=10")));

        assertThatThrownBy(() -> of("resnet18", false, 10).sources(file, 1, folder))
                .hasMessage(
                        "--from %s: it does not have the parameter set of the network 'resnet18?classes=10&input=3x32x32&stem=cifar': tensor 'conv1.weight' has shape [64, 3, 7, 7] (9408 values), the parameter set has [64, 3, 3, 3] (1728 values); the network has stem=cifar: pass --network with another value?"
                                .formatted(file));
        assertThatThrownBy(() -> of("resnet20", true, 10).sources(file, 1, folder))
                .hasMessageContaining("tensor 'bn1.bias' has shape [64] (64 values), the parameter set has [16]");
        assertThatThrownBy(() -> of("", false, 10).sources(file, 1, folder))
                .hasMessageContaining("it does not name its network: pass --network");
    }

    @Test
    void shouldRefuseMetadataThatContradict() throws Exception {
        TensorSet ours = begin(of("resnet20", false, 10), stateDict(RESNET20));
        Map<String, String> other = new TreeMap<>(ours.metadata());
        other.put("state", RESNET20.spec().state().text().replace("0.1 bn1.running_var", "0.2 bn1.running_var"));

        assertThatThrownBy(() -> begin(of("resnet32", false, 10), ours))
                .hasMessageEndingWith(
                        "its network is 'resnet20?classes=10&input=3x32x32', and --network is resnet32: leave out --network");
        assertThatThrownBy(() -> begin(of("", false, 10), new TensorSet(ours.layout(), ours.data(), other)))
                .hasMessageContaining("tensor 'bn1.running_var' is state with momentum 0.2, the parameter set has 0.1");
    }

    @Test
    void shouldConvertHalvesAndDoubles() throws Exception {
        NetworkDefinition mlp = Networks.usual("mlp?hidden=1&input=3x32x32&classes=2");
        TensorLayout layout = TensorLayout.inOrder(List.of(
                new TensorSpec("fc1.bias", DType.F16, List.of(1L)),
                new TensorSpec("fc2.bias", DType.BF16, List.of(2L)),
                new TensorSpec("fc2.weight", DType.F64, List.of(2L, 1L)),
                TensorSpec.f32("fc1.weight", 1, 3072)));
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        data.putShort((short) 0xC000).putShort((short) 0x3FC0).putShort((short) 0xBF80);
        data.putDouble(0.1).putDouble(-4);
        data.putFloat(0.75f);

        TensorSet begun = begin(of("mlp?hidden=1", false, 2), new TensorSet(layout, data.rewind(), Map.of()));

        assertThat(begun.layout()).isEqualTo(mlp.spec().layout());
        assertThat(values(begun, "fc1.bias")).containsExactly(-2);
        assertThat(values(begun, "fc2.bias")).containsExactly(1.5f, -1);
        assertThat(values(begun, "fc2.weight")).containsExactly(0.1f, -4);
        assertThat(values(begun, "fc1.weight")).hasSize(3072).startsWith(0.75f, 0);
    }

    @Test
    void shouldSayWhatToDoWithOtherFiles() throws IOException {
        TensorSet whole = new TensorSet(
                TensorLayout.inOrder(List.of(new TensorSpec("fc1.bias", DType.I32, List.of(1L)))),
                ByteBuffer.allocate(4),
                Map.of());
        Path other = Files.writeString(folder.resolve("resnet18.h5"), "HDF..and then some");

        assertThatThrownBy(() -> begin(of("mlp", false, 2), whole))
                .hasMessageEndingWith(
                        "tensor 'fc1.bias' has type I32; a run needs float32: leave the tensor out, or save tensor.float()");
        assertThatThrownBy(() -> of("mlp", false, 2).sources(other, 1, folder))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(
                        "it is not a safetensors file, as PyTorch's safetensors.torch.save_file writes it");
    }

    @Test
    void shouldSayWhatAFileOfTorchSaveIsAndHowToConvertIt() throws IOException {
        byte[] zip = {'P', 'K', 3, 4, 0, 0, 8, 8, 0, 0};
        byte[] pickle = {(byte) 0x80, 2, (byte) 0x8a, 10, 'l', (byte) 0xfc, (byte) 0x9c, 'F'};
        Path file = folder.resolve("resnet18.pth");

        Files.write(file, zip);
        assertThatThrownBy(() -> BeginningFile.require(file, false))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("""
                        --from %1$s: it is a zip archive, as torch.save writes it, not a safetensors file. These two lines of Python turn it into one:
                        import torch; from safetensors.torch import save_file
                        save_file({name: tensor.clone().contiguous() for name, tensor in torch.load("%1$s", map_location="cpu", weights_only=True).items()}, "%2$s/resnet18.safetensors")""".formatted(file, folder));
        Files.write(file, pickle);
        assertThatThrownBy(() -> BeginningFile.require(file, true))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(
                        "it is a pickle, as torch.save wrote it before PyTorch 1.6, not a safetensors file");
    }

    @ParameterizedTest
    @CsvSource({"NaN,NaN", "Infinity,Infinity", "-Infinity,-Infinity", "4294967296,4.2949673E9; values must be smaller"
    })
    void shouldNameTheFirstValueThatIsNotFinite(float value, String shown) throws Exception {
        TensorSet given = stateDict(RESNET20);
        ByteBuffer data = copy(given);
        int place = 0;
        for (TensorSpec spec : RESNET20.spec().layout().specs()) {
            if (spec.name().equals("fc.bias")) {
                break;
            }
            place += Math.toIntExact(spec.elementCount());
        }
        data.putFloat((place + 7) * Float.BYTES, value);
        data.putFloat((place + 9) * Float.BYTES, value);
        Path file = write(new TensorSet(given.layout(), data, Map.of()));

        assertThatThrownBy(() -> BeginningFile.require(file, false))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith("--from %s: value 7 of 10 of tensor 'fc.bias' is %s", file, shown);
        // The head is initialized anew, so its values do not matter.
        BeginningFile.require(file, true);
        assertThat(of("resnet20", true, 10).sources(file, 1, folder.resolve("run")))
                .hasSize(1);
        data.putFloat(0, value);
        write(new TensorSet(given.layout(), data, Map.of()));
        assertThatThrownBy(() -> of("resnet20", true, 10).sources(file, 1, folder.resolve("run")))
                .hasMessageContaining("value 0 of 16 of tensor 'bn1.bias' is " + shown);
    }

    @Test
    void shouldFindWhatIsNotFiniteAsFloat32() throws Exception {
        TensorLayout layout = TensorLayout.inOrder(List.of(
                new TensorSpec("a", DType.F16, List.of(2L)),
                new TensorSpec("b", DType.BF16, List.of(2L)),
                new TensorSpec("c", DType.F64, List.of(1L))));
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        data.putDouble(8, 1e39);
        assertThatThrownBy(() -> BeginningFile.require(write(new TensorSet(layout, data, Map.of())), false))
                .hasMessageEndingWith("value 0 of 1 of tensor 'c' is Infinity");
        data.putShort(6, (short) 0x7fc0);
        assertThatThrownBy(() -> BeginningFile.require(write(new TensorSet(layout, data, Map.of())), false))
                .hasMessageEndingWith("value 1 of 2 of tensor 'b' is NaN");
        data.putShort(2, (short) 0xfc00);
        assertThatThrownBy(() -> BeginningFile.require(write(new TensorSet(layout, data, Map.of())), false))
                .hasMessageEndingWith("value 1 of 2 of tensor 'a' is -Infinity");
    }

    private static ByteBuffer copy(TensorSet set) {
        ByteBuffer copy = ByteBuffer.allocate(set.data().remaining()).order(ByteOrder.LITTLE_ENDIAN);
        return copy.put(set.data()).flip();
    }
}
