package org.fleetgrad.runs.output;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.datasets.text.HuggingFaceTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.huggingface.HuggingFaceNetwork;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The model that a run leaves in its folder: {@code model.safetensors}, which PyTorch loads, and for a GPT-2 or a BERT {@code
 * config.json} and the tokenizer's files, with which Hugging Face's {@code from_pretrained} opens the folder.
 */
public final class SavedModel {

    private static final String FILE = "model.safetensors";

    /** transformers refuses a file whose metadata do not say that the tensors are PyTorch's. */
    private static final Map<String, String> FORMAT = Map.of("format", "pt");

    private SavedModel() {}

    /** Returns where a run's model is. */
    public static Path file(Path folder) {
        return folder.resolve(FILE);
    }

    /**
     * Writes a model.
     *
     * @param trainedOn tokenizer of the texts on which the run trained: the metadata only name one that is a file
     */
    public static void write(TensorSet model, Optional<Tokenizer> trainedOn, Path folder) throws IOException {
        Map<String, String> metadata = new TreeMap<>(model.metadata());
        metadata.putAll(FORMAT);
        TensorSet saved = new TensorSet(model.layout(), model.data(), metadata);
        AtomicFile.write(file(folder), Safetensors.encode(saved).array());
        @Nullable String text = metadata.get(MetadataKeys.NETWORK);
        if (text != null) {
            NetworkName network = NetworkName.parse(text);
            Optional<byte[]> config = HuggingFaceNetwork.write(network, classes(metadata));
            if (config.isPresent()) {
                AtomicFile.write(folder.resolve(HuggingFaceNetwork.FILE), config.get());
                for (Map.Entry<String, byte[]> file :
                        tokenizerFiles(metadata, trainedOn).entrySet()) {
                    AtomicFile.write(folder.resolve(file.getKey()), file.getValue());
                }
            }
        }
    }

    private static List<String> classes(Map<String, String> metadata) {
        String names = metadata.get(MetadataKeys.CLASSES);
        return names == null ? List.of() : List.of(JsonMapper.shared().readValue(names, String[].class));
    }

    /**
     * Returns the files of a model's tokenizer by their names; none if it has none, or it is a file that is not here.
     *
     * @param metadata  of the model
     * @param trainedOn as {@link #write} takes it
     */
    public static Map<String, byte[]> tokenizerFiles(Map<String, String> metadata, Optional<Tokenizer> trainedOn) {
        @Nullable String stated = metadata.get(MetadataKeys.TOKENIZER);
        @Nullable String network = metadata.get(MetadataKeys.NETWORK);
        if (stated == null || network == null) {
            return Map.of();
        }
        Tokenizer tokenizer =
                trainedOn.filter(own -> own.text().equals(stated)).orElseGet(() -> Tokenizer.parse(stated));
        boolean isFilledUp =
                NetworkName.parse(network).argument(NetworkName.PADDING).isPresent();
        return HuggingFaceTokenizer.files(tokenizer, isFilledUp);
    }
}
