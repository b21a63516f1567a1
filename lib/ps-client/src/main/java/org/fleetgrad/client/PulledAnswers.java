package org.fleetgrad.client;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.safetensors.RepeatedHeaders;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Reads parameter sets from responses, in the encoding that each names. Thread-safe. */
final class PulledAnswers {

    private final RepeatedHeaders headers = new RepeatedHeaders();

    Pulled read(CallResponse answer) throws IOException {
        TensorSet wire;
        TensorSet parameters;
        try {
            wire = headers.decodeFile(answer.response().body(), SafetensorsLimits.DEFAULT);
            parameters = plain(wire);
        } catch (SafetensorsException | EncodingException | IllegalArgumentException malformed) {
            throw new IOException(
                    "%s answered a malformed parameter set: %s".formatted(answer.call(), malformed.getMessage()),
                    malformed);
        }
        ParameterVersion version = ParameterVersion.of(parameters.metadata())
                .orElseThrow(() -> new IOException("%s answered a parameter set without generation and version: %s"
                        .formatted(answer.call(), parameters.metadata())));
        return new Pulled(version, parameters, wire.layout().byteLength());
    }

    /** Decodes the tensors on the wire; without a named encoding they are returned as they are. */
    private static TensorSet plain(TensorSet wire) throws EncodingException {
        String text = Encodings.textIn(wire.metadata());
        if (text.equals(Encodings.PLAIN.text())) {
            return wire;
        }
        if (!(Encodings.parse(text) instanceof ParameterEncoding encoding)) {
            throw new IllegalArgumentException("parameters do not travel as " + text);
        }
        TensorFormat format = TensorFormat.ofWire(encoding, wire.layout(), ParameterState.in(wire.metadata()));
        TensorLayout layout = format.layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        format.decode(wire, values);
        Map<String, String> metadata = new TreeMap<>(wire.metadata());
        // The set may be put to another server: it is float32 now.
        metadata.remove(Encoding.METADATA_KEY);
        return TensorSet.ofFloats(layout, values, metadata);
    }
}
