package org.fleetgrad.cli.model;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;

/** The lines of Python that load an exported model. */
final class ModelUse {

    private ModelUse() {}

    /**
     * Returns them.
     *
     * @param name of the file or the folder
     * @param task of the network, if it is known
     */
    static List<String> lines(ExportFormat format, String name, Optional<Task> task) {
        String quoted = "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        return switch (format) {
            case SAFETENSORS ->
                List.of(
                        "from safetensors.torch import load_file",
                        "network = ...  # the same network in PyTorch",
                        "network.load_state_dict(load_file(%s), strict=True)".formatted(quoted));
            case HUGGINGFACE -> {
                String type = task.orElse(null) instanceof LanguageModel
                        ? "AutoModelForCausalLM"
                        : "AutoModelForSequenceClassification";
                yield List.of(
                        "from transformers import %s, AutoTokenizer".formatted(type),
                        "network = %s.from_pretrained(%s)".formatted(type, quoted),
                        "tokenizer = AutoTokenizer.from_pretrained(%s)".formatted(quoted));
            }
            case ONNX ->
                List.of(
                        "import onnxruntime",
                        "session = onnxruntime.InferenceSession(%s)".formatted(quoted),
                        "answer = session.run(None, %s)[0]"
                                .formatted(task.map(ModelUse::inputs).orElse("{\"input\": ...}")));
        };
    }

    private static String inputs(Task task) {
        if (task instanceof TableTask) {
            return "{column: rows[column].to_numpy() for column in rows}";
        }
        if (task instanceof SeriesTask) {
            return "{\"series\": series}  # float64, [samples, %d, %d]"
                    .formatted(task.input().get(0), task.input().get(1));
        }
        return task.tokens().isPresent()
                ? "{\"input_ids\": tokens}  # int64, [samples, tokens]"
                : "{\"image\": images}  # float32 from 0 to 1, [samples, %d, %d, %d]"
                        .formatted(
                                task.input().get(0),
                                task.input().get(1),
                                task.input().get(2));
    }
}
