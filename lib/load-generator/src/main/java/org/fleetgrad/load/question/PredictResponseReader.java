package org.fleetgrad.load.question;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.load.question.PredictClient.Reply;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;
import org.fleetgrad.protocol.messages.Problem;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks by {@code POST /predict}, and compares the responses with the labels. Parses only what a load needs. Thread-safe. */
public record PredictResponseReader(LoadRequests questions) implements Questions {

    private static final int OK = 200;
    /** Also keeps line breaks and commas out of the CSV. */
    private static final Pattern GENERATION = Pattern.compile("[0-9A-Za-z_-]{1,64}");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public byte[] body(long number) {
        return questions.body(number);
    }

    @Override
    public byte[] feedback(long number, String answer) {
        return questions.feedback(number, answer);
    }

    @Override
    public Verdict read(long number, Reply reply) {
        try {
            return reply.status() == OK ? answered(number, reply.body()) : Verdict.failed(refusal(reply));
        } catch (JacksonException malformed) {
            return Verdict.failed("the response is not the JSON of a prediction");
        }
    }

    private Verdict answered(long number, byte[] body) {
        Answer answer = new Answer(questions.batch());
        try (JsonParser parser = JSON.createParser(body)) {
            answer.read(parser);
        }
        if (answer.count != questions.batch()) {
            return Verdict.failed(
                    "the response has %d predictions for %d images".formatted(answer.count, questions.batch()));
        }
        if (answer.version < 0 || !GENERATION.matcher(answer.generation).matches()) {
            return Verdict.failed("the response names no version, or no generation");
        }
        AnsweringVersion version = new AnsweringVersion(answer.generation, answer.version);
        AnswerAgreement.Compared compared = questions.compare(number, version, answer.classes);
        return new Verdict(
                questions.right(number, answer.classes),
                questions.batch(),
                compared.repeated(),
                compared.differing(),
                Optional.of(version),
                answer.id,
                "");
    }

    @Override
    public String refusalOfFeedback(Reply reply) {
        return reply.status() == OK ? "" : "feedback: " + refusal(reply);
    }

    private String refusal(Reply reply) {
        String rule = "";
        String detail = "";
        try {
            JsonNode problem = JSON.readTree(reply.body());
            String type = problem.path("type").asString("");
            rule = type.startsWith(Problem.TYPE_PREFIX) ? type.substring(Problem.TYPE_PREFIX.length()) : "";
            detail = problem.path("detail").asString("");
        } catch (JacksonException noProblem) {
            // Perhaps a proxy's error page: its status is enough.
        }
        // A detail has numbers of its own request; only that of an invalid request is always the same.
        String said = reply.status() == 400 && !detail.isEmpty() ? " (" + detail + ")" : "";
        return Printable.text("status %d%s%s".formatted(reply.status(), rule.isEmpty() ? "" : " " + rule, said));
    }

    private static final class Answer {
        private final int[] classes;
        private int count;
        private long version = -1;
        private String generation = "";
        private String id = "";

        Answer(int batch) {
            classes = new int[batch];
            Arrays.fill(classes, -1);
        }

        void read(JsonParser parser) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("predictions") && value == JsonToken.START_ARRAY) {
                    predictions(parser);
                } else if (name.equals("version") && value == JsonToken.VALUE_NUMBER_INT) {
                    version = parser.getLongValue();
                } else if (name.equals("generation") && value == JsonToken.VALUE_STRING) {
                    generation = parser.getString();
                } else if (name.equals("answer") && value == JsonToken.VALUE_STRING) {
                    id = parser.getString();
                } else {
                    parser.skipChildren();
                }
            }
        }

        private void predictions(JsonParser parser) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (name.equals("class") && value == JsonToken.VALUE_NUMBER_INT && count < classes.length) {
                        classes[count] = parser.getIntValue();
                    }
                    parser.skipChildren();
                }
                count++;
            }
        }
    }
}
