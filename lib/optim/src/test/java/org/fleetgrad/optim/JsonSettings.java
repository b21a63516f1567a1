package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import tools.jackson.databind.JsonNode;

/** Reads numbers and hyperparameters, under their PyTorch names and defaults, from JSON. */
final class JsonSettings {

    private JsonSettings() {}

    static OptimizerSettings settings(String optimizer, JsonNode hyper) {
        return switch (optimizer) {
            case "SGD" ->
                new SgdSettings(
                        number(hyper, "momentum", 0),
                        number(hyper, "dampening", 0),
                        flag(hyper, "nesterov"),
                        number(hyper, "weight_decay", 0));
            case "Adam" ->
                new AdamSettings(
                        beta(hyper, 0),
                        beta(hyper, 1),
                        number(hyper, "eps", 1e-8f),
                        number(hyper, "weight_decay", 0),
                        flag(hyper, "amsgrad"));
            case "AdamW" ->
                new AdamWSettings(
                        beta(hyper, 0),
                        beta(hyper, 1),
                        number(hyper, "eps", 1e-8f),
                        number(hyper, "weight_decay", 0.01f),
                        flag(hyper, "amsgrad"));
            default -> throw new IllegalArgumentException(optimizer);
        };
    }

    static float[] floats(JsonNode array) {
        float[] values = new float[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).floatValue();
        }
        return values;
    }

    private static float number(JsonNode hyper, String name, float otherwise) {
        return hyper.has(name) ? hyper.get(name).floatValue() : otherwise;
    }

    private static boolean flag(JsonNode hyper, String name) {
        return hyper.has(name) && hyper.get(name).booleanValue();
    }

    private static float beta(JsonNode hyper, int index) {
        return hyper.get("betas").get(index).floatValue();
    }
}
