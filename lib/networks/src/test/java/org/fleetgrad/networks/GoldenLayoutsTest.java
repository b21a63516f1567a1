package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares names, shapes and order of tensors with PyTorch's {@code state_dict}. */
class GoldenLayoutsTest {

    /** Made by make_network_goldens.py: for each network, the digest of its state_dict, with one line per tensor. */
    @ParameterizedTest
    @MethodSource("org.fleetgrad.networks.Networks#names")
    void shouldHaveTheTensorsOfPyTorch(String name) throws IOException, NoSuchAlgorithmException {
        JsonNode golden;
        try (InputStream file =
                Objects.requireNonNull(GoldenLayoutsTest.class.getResourceAsStream("/golden-layouts.json"))) {
            golden = JsonMapper.shared().readTree(file).get(name);
        }
        NetworkDefinition definition = Networks.usual(name);

        assertThat(definition.spec().parameterCount())
                .isEqualTo(golden.get("parameters").asLong());
        assertThat(definition.spec().stateCount()).isEqualTo(golden.get("state").asLong());
        assertThat(digest(lines(definition.layers().tensors())))
                .isEqualTo(golden.get("sha256").asString());
    }

    private static List<String> lines(List<LayerTensor> tensors) {
        return tensors.stream()
                .map(tensor -> tensor.name() + " " + tensor.shape() + " "
                        + (tensor.momentum().isPresent() ? "state" : "trainable"))
                .toList();
    }

    private static String digest(List<String> lines) throws NoSuchAlgorithmException {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    }

    private static JsonNode torchvision() {
        return JsonMapper.shared().readTree(SharedData.require("golden/networks/torchvision-state-dicts.json"));
    }

    @Test
    void shouldHaveTheTensorsOfTorchvision() {
        JsonNode torchvision = torchvision();
        assertThat(torchvision.propertyNames()).hasSize(11);
        torchvision.forEachEntry((name, golden) -> {
            List<String> expected = new ArrayList<>();
            List<String> trainable = golden.get("trainable")
                    .valueStream()
                    .map(JsonNode::asString)
                    .toList();
            for (JsonNode entry : golden.get("state_dict")) {
                String tensor = entry.get(0).asString();
                if (!tensor.endsWith("num_batches_tracked")) {
                    List<Integer> shape =
                            entry.get(1).valueStream().map(JsonNode::asInt).toList();
                    expected.add(tensor + " " + shape + " " + (trainable.contains(tensor) ? "trainable" : "state"));
                }
            }
            NetworkDefinition definition = Networks.usual(name);
            assertThat(lines(definition.layers().tensors())).as(name).isEqualTo(expected);
            assertThat(definition.spec().parameterCount())
                    .isEqualTo(golden.get("parameters").asLong());
        });
    }
}
