package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Files of parameter sets, as {@code fleetgrad model export} and a run write them.
 *
 * @param files in the order in which they are visited
 */
record StoredFiles(List<Path> files) implements Versions {

    StoredFiles {
        files = List.copyOf(files);
    }

    @Override
    public void each(Visitor visitor) throws IOException, InterruptedException {
        for (Path file : files) {
            TensorSet parameters = read(file);
            String name = String.valueOf(file.getFileName());
            // A file from elsewhere states no version: it is version 0 of a history with the file's name.
            ParameterVersion version =
                    ParameterVersion.of(parameters.metadata()).orElseGet(() -> new ParameterVersion(name, 0));
            if (!visitor.visit(new NamedVersion(name, version, parameters))) {
                return;
            }
        }
    }

    private static TensorSet read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return Safetensors.decode(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        } catch (SafetensorsException malformed) {
            throw new IllegalArgumentException(
                    "%s is not a safetensors file: %s".formatted(file, malformed.getMessage()), malformed);
        }
    }
}
