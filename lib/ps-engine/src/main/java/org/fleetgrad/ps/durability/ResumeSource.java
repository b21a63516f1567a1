package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.fleetgrad.protocol.tensor.WireValues;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a new run: a safetensors file, such as a {@code model.safetensors} or a PyTorch {@code state_dict}, or
 * the newest checkpoint of a location. With {@code #42} at the end of the location, it is the checkpoint with that
 * number.
 */
public final class ResumeSource implements Origin {

    private static final Logger LOG = LoggerFactory.getLogger(ResumeSource.class);

    private final String source;
    private final TrainingSettings training;
    private final Function<String, @Nullable String> environment;

    /**
     * @param source      a file, a folder or {@code s3://bucket/prefix}
     * @param environment returns the variables with the address and keys of an S3 service
     */
    public ResumeSource(String source, TrainingSettings training, Function<String, @Nullable String> environment) {
        this.source = source;
        this.training = training;
        this.environment = environment;
    }

    @Override
    public Beginning read() throws IOException {
        Beginning beginning = source.startsWith("s3://") || !Files.isRegularFile(Path.of(source))
                ? checkpoint()
                : new Beginning.Parameters(parameters(Path.of(source)));
        LOG.info("a new run starts from {}", source);
        return beginning;
    }

    private Beginning checkpoint() throws IOException {
        // The name of the folder itself may contain a '#'.
        int mark = isFolder(source) ? -1 : source.lastIndexOf('#');
        String location = mark < 0 ? source : source.substring(0, mark);
        if (!location.startsWith("s3://") && !isFolder(location)) {
            throw new IOException("ps.resume-from is '%s'; there is no such file or folder".formatted(source));
        }
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.parse(location, environment))) {
            long number = mark < 0 ? newest(checkpoints) : number(source.substring(mark + 1));
            StateFiles.Saved saved = StateFiles.read(checkpoints.read(number));
            Arithmetic arithmetic = Arithmetic.of(training);
            if (saved.position().arithmetic().hasSameBuffers(arithmetic)) {
                return new Beginning.State(withFreeze(saved));
            }
            LOG.warn(
                    "{} was taken with {}, but the settings are {}: the run uses its parameters, but not its optimizer's state",
                    source,
                    saved.position().arithmetic(),
                    arithmetic);
            return new Beginning.Parameters(new InitialParameters(
                    saved.state().layout(),
                    saved.state().parameters(),
                    saved.state().metadata()));
        }
    }

    private TrainingState withFreeze(StateFiles.Saved saved) throws IOException {
        TrainingState state = saved.state();
        FreezePatterns before =
                FreezePatterns.parse(saved.position().arithmetic().freeze());
        try {
            TrainableValues trained = TrainingSettings.trainable(before, state.layout(), state.metadata());
            TrainableValues wanted = training.trainable(state.layout(), state.metadata());
            return new OtherFreeze(trained, wanted).of(state, source);
        } catch (IllegalArgumentException unfit) {
            throw new IOException("ps.resume-from is '%s', and ps.%s".formatted(source, unfit.getMessage()), unfit);
        }
    }

    private static boolean isFolder(String location) {
        return !location.startsWith("s3://") && Files.isDirectory(Path.of(location));
    }

    private long number(String text) throws IOException {
        if (!text.matches("\\d{1,18}")) {
            throw new IOException("ps.resume-from is '%s'; write a checkpoint's number after '#'".formatted(source));
        }
        return Long.parseLong(text);
    }

    private long newest(Checkpoints checkpoints) throws IOException {
        List<ListedCheckpoint> listed = checkpoints.list();
        for (ListedCheckpoint each : listed) {
            if (each instanceof ListedCheckpoint.Complete whole) {
                return whole.number();
            }
        }
        throw new IOException("ps.resume-from is '%s', which has no readable checkpoint (%d listed)"
                .formatted(source, listed.size()));
    }

    private InitialParameters parameters(Path file) throws IOException {
        TensorSet tensors;
        try {
            tensors = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (SafetensorsException malformed) {
            throw new IOException(
                    "%s is not a safetensors file: %s".formatted(file, malformed.getMessage()), malformed);
        }
        TensorLayout layout = TensorLayout.canonical(tensors.layout().specs().stream()
                .filter(spec -> !ParameterState.isBatchCount(spec))
                .toList());
        Optional<TensorSpec> other = layout.specs().stream()
                .filter(spec -> spec.dtype() != DType.F32)
                .findFirst();
        if (layout.size() == 0 || other.isPresent()) {
            throw new IOException(other.map(spec -> "%s: tensor '%s' has type %s, a run needs F32; convert it first"
                            .formatted(file, spec.name(), spec.dtype()))
                    .orElse("%s has no tensors".formatted(file)));
        }
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        FloatBuffer into = FloatBuffer.wrap(values);
        layout.specs()
                .forEach(spec ->
                        into.put(tensors.bytes(spec.name()).orElseThrow().asFloatBuffer()));
        Optional<WireValues.Refused> refused = WireValues.firstRefused(layout, values);
        if (refused.isPresent()) {
            throw new IOException("%s: %s".formatted(file, refused.get().message()));
        }
        Map<String, String> metadata = new TreeMap<>(tensors.metadata());
        try {
            InitialParameters.requireNetwork(layout, metadata);
        } catch (IllegalArgumentException wrong) {
            throw new IOException("%s: %s".formatted(file, wrong.getMessage()), wrong);
        }
        metadata.keySet().removeAll(List.of(ParameterVersion.GENERATION_KEY, ParameterVersion.VERSION_KEY));
        return new InitialParameters(layout, values, metadata);
    }
}
