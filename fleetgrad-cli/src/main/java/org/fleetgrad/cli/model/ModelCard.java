package org.fleetgrad.cli.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Describes an exported model in a page of Markdown: the same model gives the same page. */
final class ModelCard {

    private static final int MOST_CLASSES = 20;

    private ModelCard() {}

    /**
     * Writes the page.
     *
     * @param name of the file or the folder
     */
    static String of(ExportedModel model, ExportFormat format, String name) {
        Map<String, String> metadata = model.parameters().metadata();
        Optional<Task> task = task(model);
        List<String> lines = new ArrayList<>();
        lines.add("# " + Printable.text(name));
        lines.add("");
        lines.add("A network that Fleetgrad trained, exported for %s."
                .formatted(
                        switch (format) {
                            case SAFETENSORS -> "PyTorch";
                            case ONNX -> "ONNX";
                            case HUGGINGFACE -> "Hugging Face's transformers";
                        }));
        lines.add("");
        lines.add("| what | |");
        lines.add("|---|---|");
        lines.add(row("network", model.network().map(ModelCard::network).orElse("not stated")));
        task.ifPresent(known -> lines.add(row("takes and answers", known.toString())));
        lines.add(row("dataset", metadata.getOrDefault(MetadataKeys.DATASET, "not stated")));
        classes(metadata).ifPresent(classes -> lines.add(row("classes", classes)));
        lines.add(row("version", model.origin()));
        model.facts().forEach((what, value) -> lines.add(row(what, value)));
        lines.add(row(
                "parameters",
                String.format(Locale.ROOT, "%,d", model.parameters().layout().elementCount())));
        lines.add(row("SHA-256 of the parameters", Sha256.of(model.parameters().data())));
        lines.add(row("licence", "not stated: choose one"));
        lines.add("");
        lines.add("To load it in Python:");
        lines.add("");
        lines.add("```python");
        lines.addAll(ModelUse.lines(format, name, task));
        lines.add("```");
        lines.add("");
        return String.join("\n", lines);
    }

    private static Optional<Task> task(ExportedModel model) {
        try {
            return model.network().map(name -> Networks.named(name).spec().task());
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    /** A network of one's own has its whole graph in its name. */
    private static String network(String complete) {
        try {
            return complete.length() > Printable.LIMIT
                    ? NetworkName.parse(complete).base()
                    : complete;
        } catch (IllegalArgumentException malformed) {
            return complete;
        }
    }

    private static Optional<String> classes(Map<String, String> metadata) {
        String json = metadata.get(MetadataKeys.CLASSES);
        if (json == null) {
            return Optional.empty();
        }
        try {
            List<String> names = List.of(JsonMapper.shared().readValue(json, String[].class));
            String first = String.join(", ", names.subList(0, Math.min(MOST_CLASSES, names.size())));
            return Optional.of(
                    names.size() <= MOST_CLASSES
                            ? first
                            : "%s and %d more".formatted(first, names.size() - MOST_CLASSES));
        } catch (JacksonException | NullPointerException malformed) {
            return Optional.empty();
        }
    }

    /** A value comes from a file, so it may not end the cell or the row. */
    private static String row(String what, String value) {
        return "| %s | %s |".formatted(what, Printable.text(value).replace("|", "\\|"));
    }
}
