package org.fleetgrad.inference.feedback;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.web.UnfitJson;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads bodies of feedback: one answer, or a list of them. Thread-safe. */
public final class FeedbackReader {

    /** Most answers of a request. */
    public static final int MOST_ANSWERS = 10_000;

    /** Of two labels of one answer, nobody knows which is meant. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final String ANSWER = "answer";
    private static final String LABEL = "label";
    private static final String LABELS = "labels";
    private static final String FEEDBACK = "feedback";
    private static final Set<String> OF_ONE = Set.of(ANSWER, LABEL, LABELS);

    private FeedbackReader() {}

    /**
     * Reads a body.
     *
     * @throws RequestRefused if it is not feedback, or of too many answers
     */
    public static List<Given> read(byte[] body) {
        JsonNode all = parsed(body);
        if (!all.isObject()) {
            throw malformed("the body must be an object such as {\"answer\": \"…\", \"label\": \"7\"}; it is "
                    + all.getNodeType());
        }
        if (!all.has(FEEDBACK)) {
            return List.of(one(all, "the body"));
        }
        requireMembers(all, Set.of(FEEDBACK), "the body");
        JsonNode list = all.get(FEEDBACK);
        if (!list.isArray() || list.isEmpty()) {
            throw malformed("'feedback' must be a list of 1 or more; it " + (list.isArray() ? "is empty" : "is none"));
        }
        if (list.size() > MOST_ANSWERS) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "'feedback' has %d answers; at most %d are taken at once".formatted(list.size(), MOST_ANSWERS));
        }
        List<Given> given = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            given.add(one(list.get(i), "feedback " + i));
        }
        return given;
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException wrong) {
            throw malformed(UnfitJson.text(wrong));
        }
    }

    private static Given one(JsonNode one, String where) {
        if (!one.isObject()) {
            throw malformed("%s must be an object; it is %s".formatted(where, one.getNodeType()));
        }
        requireMembers(one, OF_ONE, where);
        if (!one.path(ANSWER).isString()) {
            throw malformed("'answer' of %s must be the id of an answer, a text".formatted(where));
        }
        if (one.has(LABEL) == one.has(LABELS)) {
            throw malformed("%s must have either 'label' or 'labels'; it has %s"
                    .formatted(where, one.has(LABEL) ? "both" : "neither"));
        }
        List<Label> labels = new ArrayList<>();
        if (one.has(LABEL)) {
            labels.add(label(one.get(LABEL), where));
            if (labels.get(0) instanceof Label.Unknown) {
                throw malformed("'label' of %s must be a text or a number; it is null".formatted(where));
            }
        } else {
            if (!one.get(LABELS).isArray()) {
                throw malformed("'labels' of %s must be a list".formatted(where));
            }
            for (JsonNode label : one.get(LABELS)) {
                labels.add(label(label, where));
            }
        }
        return new Given(one.get(ANSWER).asString(), labels);
    }

    private static Label label(JsonNode label, String where) {
        if (label.isString()) {
            return new Label.Named(label.asString());
        }
        if (label.isNumber()) {
            return new Label.Numbered(label.asDouble(Double.POSITIVE_INFINITY));
        }
        if (label.isNull()) {
            return new Label.Unknown();
        }
        throw malformed("a label is a text or a number; one of %s is %s".formatted(where, label.getNodeType()));
    }

    private static void requireMembers(JsonNode object, Set<String> members, String where) {
        for (String name : object.propertyNames()) {
            if (!members.contains(name)) {
                throw malformed("%s has a member '%s'; its members are %s"
                        .formatted(where, Printable.text(name), new TreeSet<>(members)));
            }
        }
    }

    private static RequestRefused malformed(String detail) {
        return new RequestRefused(ProblemKind.MALFORMED, detail);
    }
}
