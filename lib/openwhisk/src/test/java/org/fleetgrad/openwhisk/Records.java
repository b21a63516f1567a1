package org.fleetgrad.openwhisk;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.fleetgrad.openwhisk.Wire.Call;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;

/** Records in the form in which controllers write them. */
final class Records {

    private Records() {}

    /** Returns a record with a response, and with annotations in addition to those of every activation. */
    static String of(String response, String annotations) {
        return """
                {"activationId":"77c8ad9e6a4b4c0b88ad9e6a4bbc0b1f","name":"rec","namespace":"guest","subject":"guest",
                "version":"0.0.1","publish":false,"start":1795215950000,"end":1795215950210,"duration":210,
                "logs":["2026-11-20T21:05:50.1Z stdout: hello","2026-11-20T21:05:50.2Z stderr: there"],
                "response":%s,
                "annotations":[{"key":"path","value":"guest/rec"},{"key":"kind","value":"blackbox"},
                {"key":"limits","value":{"concurrency":1,"logs":10,"memory":256,"timeout":2000}},
                {"key":"waitTime","value":37}%s]}""".formatted(response, annotations);
    }

    static ActivationRecord read(String json) throws OpenWhiskException {
        return ActivationRecord.read(new WhiskResponse(
                Call.get(URI.create("http://host/api/v1/namespaces/_/activations/77c8")),
                WhiskAuth.parse("u:k"),
                200,
                HttpHeaders.of(Map.of(), (name, value) -> true),
                json.getBytes(StandardCharsets.UTF_8)));
    }

    static ActivationRecord failed(String status, String error, String annotations) throws OpenWhiskException {
        return read(of(
                "{\"result\":{\"error\":%s},\"status\":\"%s\",\"success\":false}".formatted(error, status),
                annotations));
    }
}
