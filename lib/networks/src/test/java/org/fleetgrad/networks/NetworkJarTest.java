package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar adds its networks to those of this program, under names that every program knows. */
class NetworkJarTest {

    private static final String SERVICE = "META-INF/services/org.fleetgrad.networks.NetworkProvider";

    private static final String SOURCE = """
            package own;

            import java.util.ArrayList;
            import java.util.List;
            import org.fleetgrad.networks.*;
            import org.fleetgrad.networks.layer.*;

            public final class Own implements NetworkProvider, NetworkFamily {
                public List<NetworkFamily> families() { return List.of(this); }
                public List<String> names() { return List.of("%s"); }
                public String describe(String base) { return "one layer"; }
                public Task usual(String base) { return new Task.ImageClassification(List.of(1, 4, 4), 2); }
                public NetworkDefinition define(NetworkName name) {
                    int in = name.input().stream().reduce(1, Math::multiplyExact);
                    return NetworkDefinition.of(name, Sequential.of("flatten", new Layer.Flatten()).then("fc", %s));
                }
            }
            """;

    @TempDir
    private Path folder;

    private final List<NetworkJar> opened = new ArrayList<>();

    @AfterEach
    void removeNetworks() {
        opened.forEach(Networks::remove);
    }

    private NetworkJar open(Path file) throws IOException {
        NetworkJar jar = NetworkJar.open(file);
        opened.add(jar);
        return jar;
    }

    private Path jar(String name, String layer) throws IOException {
        Path sources = Files.createDirectories(folder.resolve(name));
        Path source = Files.writeString(sources.resolve("Own.java"), SOURCE.formatted(name, layer));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", sources.toString(), source.toString());
        assertThat(failed).isZero();
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("own/Own.class"));
            out.write(Files.readAllBytes(sources.resolve("own/Own.class")));
            out.putNextEntry(new JarEntry(SERVICE));
            out.write("own.Own\n".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    @Test
    void shouldGiveANetworkANameThatEveryProgramKnows() throws Exception {
        NetworkJar jar = open(jar("own-one", "Linear.standard(in, name.classes())"));

        Networks.add(jar);
        // The same jar again is no other network.
        Networks.add(jar);

        assertThat(jar.sha256()).matches("[0-9a-f]{64}");
        assertThat(jar.names()).containsExactly("own-one");
        NetworkDefinition network = Networks.named("own-one", List.of(3, 8, 8), 5);
        assertThat(network.spec().name()).startsWith("layers?classes=5&input=3x8x8&layers=");
        assertThat(network.spec().layout().specs().stream()
                        .map(tensor -> tensor.name() + tensor.shape())
                        .toList())
                .containsExactly("fc.bias[5]", "fc.weight[5, 192]");
        assertThat(Networks.names()).contains("own-one");
    }

    @Test
    void shouldRefuseANameThatIsTaken() throws Exception {
        NetworkJar jar = open(jar("lenet5", "Linear.standard(in, name.classes())"));

        assertThatThrownBy(() -> Networks.add(jar))
                .hasMessage("the network 'lenet5' of lenet5.jar needs another name, which no network has");
        // Again, since nothing of it was added.
        assertThatThrownBy(() -> Networks.add(jar)).hasMessageContaining("needs another name");
    }

    @Test
    void shouldSayThatAJarsOwnCodeFailed() throws Exception {
        Networks.add(open(jar("own-broken", "(Layer) (Object) Integer.valueOf(in)")));

        assertThatThrownBy(() -> Networks.usual("own-broken"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the jar cannot make the network 'own-broken?classes=2&input=1x4x4'")
                .hasMessageContaining("ClassCastException");
    }

    @Test
    void shouldRefuseWhatIsNoJarOfNetworks() throws Exception {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        Path other = folder.resolve("other.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(other))) {
            out.putNextEntry(new JarEntry("a.txt"));
        }
        Path wrong = folder.resolve("wrong.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(wrong))) {
            out.putNextEntry(new JarEntry(SERVICE));
            out.write("own.Missing\n".getBytes(StandardCharsets.UTF_8));
        }

        for (Path each : List.of(text, other)) {
            assertThatThrownBy(() -> NetworkJar.open(each))
                    .hasMessage(
                            "it has no %s with the name of a class, so it is no jar of networks".formatted(SERVICE));
        }
        assertThatThrownBy(() -> NetworkJar.open(wrong)).hasMessageContaining("own.Missing");
        assertThatThrownBy(() -> NetworkJar.open(folder.resolve("none.jar"))).isInstanceOf(IOException.class);
    }
}
