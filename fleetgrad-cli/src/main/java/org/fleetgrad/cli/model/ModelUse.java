package org.fleetgrad.cli.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
                        task.map(ModelUse::answer).orElse("answer = session.run(None, {\"input\": samples})[0]"));
        };
    }

    private static String answer(Task task) {
        if (task instanceof TableTask) {
            return answer("{column: rows[column] for column in rows}", "rows: an array for each column");
        }
        if (task instanceof SeriesTask) {
            return answer("{\"series\": series}", "float64, %s".formatted(sides(task)));
        }
        return task.tokens().isPresent()
                ? answer("{\"input_ids\": tokens}", "int64, [samples, tokens]")
                : answer("{\"image\": images}", "float32 from 0 to 1, %s".formatted(sides(task)));
    }

    private static String answer(String inputs, String remark) {
        return "answer = session.run(None, %s)[0]  # %s".formatted(inputs, remark);
    }

    private static String sides(Task task) {
        return "[samples, %s]"
                .formatted(task.input().stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
}
