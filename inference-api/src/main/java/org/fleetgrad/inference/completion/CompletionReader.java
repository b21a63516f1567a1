package org.fleetgrad.inference.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.completion.CompletionRequest;
import org.fleetgrad.serving.policy.WantedVersion;
import org.fleetgrad.web.UnfitJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads requests as OpenAI's API of completions defines them. A parameter of that API which this service does not have is accepted
 * only with the value that changes nothing. Thread-safe.
 *
 * @param model     the name that a request may give
 * @param maxTokens the most tokens of a completion
 */
public record CompletionReader(String model, int maxTokens) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(tools.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final String LIVE = "live";
    private static final int USUAL_TOKENS = 16;
    private static final int MOST_STOPS = 4;
    private static final int MOST_STOP_LENGTH = 1000;
    private static final double HOTTEST = 2;
    /** Every JSON reader keeps such a number exactly. */
    private static final long SEEDS = 1L << 53;

    private static final Set<String> READ = Set.of(
            "model",
            "prompt",
            "max_tokens",
            "temperature",
            "top_p",
            "seed",
            "stop",
            "stream",
            "stream_options",
            "version");

    /** The parameters that this service does not have, each with the JSON that changes nothing. */
    private static final Map<String, String> NEUTRAL = Map.of(
            "n", "1",
            "best_of", "1",
            "echo", "false",
            "frequency_penalty", "0",
            "presence_penalty", "0",
            "logit_bias", "{}",
            "suffix", "\"\"");

    /**
     * Reads a body.
     *
     * @throws RequestRefused if it is not such a request; the sentence names the parameter
     */
    public CompletionQuery read(byte[] body) {
        JsonNode request = parsed(body);
        request.propertyNames().forEach(name -> requireKnown(name, request.get(name)));
        String requested = text(request, "model");
        if (requested != null && !requested.equals(model)) {
            throw new RequestRefused(
                    ProblemKind.NOT_FOUND,
                    "there is no model '%s'; the model is '%s'".formatted(shortened(requested), model));
        }
        Double temperature = number(request, "temperature", HOTTEST);
        Double topP = number(request, "top_p", 1);
        Long tokens = integer(request, "max_tokens", 1, maxTokens);
        Long seed = integer(request, "seed", Long.MIN_VALUE, Long.MAX_VALUE);
        JsonNode version = request.path("version");
        boolean isLive = version.isString() && version.asString().equals(LIVE);
        return new CompletionQuery(
                new CompletionRequest(
                        isLive ? WantedVersion.BY_POLICY : wanted(version),
                        isLive,
                        prompt(request.path("prompt")),
                        tokens == null ? Math.min(USUAL_TOKENS, maxTokens) : tokens.intValue(),
                        new Sampling(temperature == null ? 1 : temperature, topP == null ? 1 : topP),
                        seed == null ? ThreadLocalRandom.current().nextLong(SEEDS) : seed,
                        stops(request.path("stop"))),
                isTrue(request, "stream"),
                includesUsage(request.path("stream_options")));
    }

    private static JsonNode parsed(byte[] body) {
        try {
            JsonNode request = JSON.readTree(body);
            if (request.isObject()) {
                return request;
            }
        } catch (JacksonException notJson) {
            throw malformed(UnfitJson.text(notJson));
        }
        throw malformed("the body must be like {\"prompt\": \"ROMEO:\", \"max_tokens\": 16}");
    }

    private static RequestRefused malformed(String detail) {
        return new RequestRefused(ProblemKind.MALFORMED, detail);
    }

    private static RequestRefused invalid(String detail) {
        return new RequestRefused(ProblemKind.INVALID_PARAMETER, detail);
    }

    private static void requireKnown(String name, JsonNode value) {
        if (READ.contains(name)) {
            return;
        }
        if (name.equals("logprobs")) {
            require(value.isNull(), name, "null: this service does not have it", value);
        } else if (name.equals("user")) {
            // It names who asks, which changes no text.
            require(value.isNull() || value.isString(), name, "a string", value);
        } else if (NEUTRAL.containsKey(name)) {
            String neutral = NEUTRAL.get(name);
            require(value.isNull() || isSame(value, neutral), name, neutral + ": this service has no other", value);
        } else {
            throw invalid("there is no parameter '%s'".formatted(shortened(name)));
        }
    }

    /** Compares with JSON; 1.0 is 1. */
    private static boolean isSame(JsonNode value, String json) {
        return value.isNumber()
                ? json.matches("[01]") && value.asDouble() == Double.parseDouble(json)
                : value.toString().equals(json);
    }

    private static void require(boolean holds, String name, String expected, JsonNode actual) {
        if (!holds) {
            throw invalid("%s must be %s; it is %s".formatted(name, expected, shortened(actual.toString())));
        }
    }

    private static String shortened(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "…" : text;
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static @Nullable String text(JsonNode request, String name) {
        JsonNode value = request.path(name);
        if (isAbsent(value)) {
            return null;
        }
        require(value.isString(), name, "a string", value);
        return value.asString();
    }

    private static @Nullable Double number(JsonNode request, String name, double most) {
        JsonNode value = request.path(name);
        if (isAbsent(value)) {
            return null;
        }
        require(
                value.isNumber() && value.asDouble() >= 0 && value.asDouble() <= most,
                name,
                "a number from 0 to %.0f".formatted(most),
                value);
        return value.asDouble();
    }

    private static @Nullable Long integer(JsonNode request, String name, long least, long most) {
        JsonNode value = request.path(name);
        if (isAbsent(value)) {
            return null;
        }
        require(
                value.isIntegralNumber()
                        && value.canConvertToLong()
                        && value.asLong() >= least
                        && value.asLong() <= most,
                name,
                "a whole number from %d to %d".formatted(least, most),
                value);
        return value.asLong();
    }

    private static boolean isTrue(JsonNode holder, String name) {
        JsonNode value = holder.path(name);
        require(isAbsent(value) || value.isBoolean(), name, "true or false", value);
        return value.isBoolean() && value.asBoolean();
    }

    private static boolean includesUsage(JsonNode options) {
        if (isAbsent(options)) {
            return false;
        }
        require(options.isObject(), "stream_options", "an object", options);
        options.propertyNames().forEach(name -> {
            if (!name.equals("include_usage")) {
                throw invalid("stream_options has no '%s'; it has include_usage".formatted(shortened(name)));
            }
        });
        return isTrue(options, "include_usage");
    }

    /** Reads the prompt; a list of one is what some clients send. */
    private static String prompt(JsonNode prompt) {
        JsonNode one = prompt.isArray() && prompt.size() == 1 ? prompt.get(0) : prompt;
        require(!prompt.isMissingNode(), "prompt", "a string", prompt);
        require(one.isString(), "prompt", "one string: each request continues one text", prompt);
        return whole("prompt", one.asString());
    }

    private static List<String> stops(JsonNode stop) {
        if (isAbsent(stop)) {
            return List.of();
        }
        List<JsonNode> all = new ArrayList<>();
        if (stop.isArray()) {
            stop.forEach(all::add);
        } else {
            all.add(stop);
        }
        require(
                all.size() <= MOST_STOPS
                        && all.stream()
                                .allMatch(one -> one.isString()
                                        && !one.asString().isEmpty()
                                        && one.asString().length() <= MOST_STOP_LENGTH),
                "stop",
                "a string of 1 to %d characters, or up to %d of them".formatted(MOST_STOP_LENGTH, MOST_STOPS),
                stop);
        return all.stream().map(one -> whole("stop", one.asString())).toList();
    }

    /** JSON can name half of a surrogate pair, which is no character. */
    private static String whole(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isHighSurrogate(text.charAt(i))
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(text.charAt(i))) {
                throw invalid("%s has half of a surrogate pair, U+%04X, at place %d"
                        .formatted(name, (int) text.charAt(i), i));
            }
        }
        return text;
    }

    private static WantedVersion wanted(JsonNode version) {
        if (isAbsent(version)) {
            return WantedVersion.BY_POLICY;
        }
        require(
                version.isString() || version.isIntegralNumber(),
                "version",
                "a number such as 12, a text such as \"7c1b-12\", or \"live\"",
                version);
        try {
            return WantedVersion.parse(version.asString());
        } catch (IllegalArgumentException malformed) {
            throw invalid(shortened(String.valueOf(malformed.getMessage())));
        }
    }
}
