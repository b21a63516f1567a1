package org.fleetgrad.openwhisk.fake;

import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Parses the requests of clients. */
final class Requests {

    private static final int BAD_REQUEST = 400;

    private Requests() {}

    static ObjectNode object(byte[] body) throws Refusal {
        try {
            JsonNode sent = JsonMapper.shared().readTree(body);
            if (sent instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException notJson) {
            // Refused below, like all other bodies that are no object.
        }
        throw new Refusal(BAD_REQUEST, "The request content was malformed:\nObject expected");
    }

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], parts.length < 2 ? "true" : decoded(parts[1]));
        }
        return query;
    }

    static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
