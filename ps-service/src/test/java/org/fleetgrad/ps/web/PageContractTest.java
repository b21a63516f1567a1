package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard's files over HTTP; e2e tests how a browser renders them. */
class PageContractTest {

    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"]+)\"|from \"\\./([^\"]+)\"");

    private static final SecuredService SECURED = SecuredService.start();
    private static final RunningService SERVICE = SECURED.service();

    @AfterAll
    static void stop() {
        SECURED.close();
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldShowThePageWithoutATokenAndLetItReachItsOwnServiceOnly() {
        HttpResponse<byte[]> page = SERVICE.send(SERVICE.get("/"));

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'", "connect-src 'self'")
                .doesNotContain("unsafe", "http", "*");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(text(page)).doesNotContain("style=", "onclick", "<script>", "http://", "https://");
    }

    @Test
    void shouldHaveEveryFileThatThePageNames() {
        List<String> files = REFERENCE
                .matcher(text(SERVICE.send(SERVICE.get("/"))))
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();

        assertThat(files).hasSizeGreaterThan(4).allSatisfy(file -> {
            HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(file));
            assertThat(answer.statusCode()).as(file).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
            if (file.endsWith("dashboard.js")) {
                REFERENCE
                        .matcher(text(answer))
                        .results()
                        .forEach(imported -> assertThat(SERVICE.send(SERVICE.get("/assets/" + imported.group(2)))
                                        .statusCode())
                                .as(imported.group(2))
                                .isEqualTo(200));
            }
        });
    }

    @Test
    void shouldNotSendAFileThatTheBrowserHas() {
        String tag = SERVICE.send(SERVICE.get("/assets/dashboard.js"))
                .headers()
                .firstValue("ETag")
                .orElseThrow();

        HttpResponse<byte[]> again =
                SERVICE.send(SERVICE.get("/assets/dashboard.js").header("If-None-Match", tag));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/assets/nothing.js", "/assets/application.yaml", "/assets/dashboard.html", "/assets/a/b"})
    void shouldHaveNoOtherFiles(String path) {
        SERVICE.refused(SERVICE.get(path), 404, ProblemKind.NOT_FOUND.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/assets/../status", "/assets/.hidden"})
    void shouldAskForATokenWhereAPathIsNotPlain(String path) {
        assertThat(SERVICE.send(SERVICE.get(path)).statusCode()).isIn(400, 401);
    }

    @Test
    void shouldNotTakeAnything() {
        assertThat(SERVICE.send(SERVICE.get("/").method("POST", BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(401);
    }
}
