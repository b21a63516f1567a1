package org.fleetgrad.testing;

import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Objects;

/** The examples of {@code openapi.yaml}, so that tests of the checker do not repeat what the contract says. */
final class Examples {

    static final OpenAPI API = read("openapi.yaml");

    private Examples() {}

    static String json(String schema) {
        return Json.pretty(
                Objects.requireNonNull(API.getComponents().getSchemas().get(schema), schema)
                        .getExample());
    }

    /** Reads a contract at the root of the checkout. */
    static OpenAPI read(String name) {
        try {
            return new OpenAPIV3Parser()
                    .readContents(Files.readString(RepositoryRoot.path().resolve(name)))
                    .getOpenAPI();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + name, unreadable);
        }
    }
}
