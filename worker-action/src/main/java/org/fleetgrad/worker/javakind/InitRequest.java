package org.fleetgrad.worker.javakind;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The value of an {@code /init}.
 *
 * @param main      the entry point: a class, or {@code class#method}
 * @param code      the file with the action's jar
 * @param variables {@code env}: parameters that are stored with {@code init}
 */
record InitRequest(@Nullable String main, @Nullable Path code, Map<String, String> variables) {

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Reads a body. The jar is streamed to a temporary file: as a string it would not fit into the heap of a small container.
     *
     * @throws IOException           if the body cannot be read, or the file not be written
     * @throws IllegalStateException if it is no object
     * @throws tools.jackson.core.JacksonException if it is no JSON, or the code no base64
     */
    static InitRequest read(InputStream body) throws IOException {
        List<Path> files = new ArrayList<>();
        Path used = null;
        try {
            InitRequest request = read(body, files);
            used = request.code();
            return request;
        } finally {
            for (Path file : files) {
                if (!file.equals(used)) {
                    delete(file);
                }
            }
        }
    }

    /** Deletes the file with the jar. */
    void discard() {
        if (code != null) {
            delete(code);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            file.toFile().deleteOnExit();
        }
    }

    private static InitRequest read(InputStream body, List<Path> files) throws IOException {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalStateException("Not a JSON Object");
            }
            InitRequest request = new InitRequest(null, null, Map.of());
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (name.equals("value") && token == JsonToken.START_OBJECT) {
                    request = value(parser, files);
                } else {
                    parser.skipChildren();
                }
            }
            return request;
        }
    }

    private static InitRequest value(JsonParser parser, List<Path> files) throws IOException {
        String main = null;
        Path code = null;
        Map<String, String> variables = Map.of();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (name.equals("main") && token == JsonToken.VALUE_STRING) {
                main = parser.getString();
            } else if (name.equals("code") && token == JsonToken.VALUE_STRING) {
                code = saved(parser, files);
            } else if (name.equals("env") && token == JsonToken.START_OBJECT) {
                variables = variables(parser);
            } else {
                parser.skipChildren();
            }
        }
        return new InitRequest(main, code, variables);
    }

    private static Path saved(JsonParser parser, List<Path> files) throws IOException {
        Path file = Files.createTempFile("action", ".jar");
        files.add(file);
        try (OutputStream out = Files.newOutputStream(file)) {
            int unused = parser.readBinaryValue(out);
        }
        return file;
    }

    private static Map<String, String> variables(JsonParser parser) {
        Map<String, String> variables = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                variables.put(name, parser.getString());
            }
            parser.skipChildren();
        }
        return variables;
    }
}
