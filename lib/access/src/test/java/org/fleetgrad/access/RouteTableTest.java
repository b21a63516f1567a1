package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {

    private static final RouteTable TABLE = RouteTable.builder()
            .open("POST /key")
            .open("GET /v2/health")
            .allow("GET /v2/**", Role.READER)
            .allow("POST /ask", Role.READER, Role.EVALUATOR)
            .allow("PUT /rule")
            .allow("PUT /first with If-None-Match: *", Role.WORKER)
            .build();

    @ParameterizedTest
    @ValueSource(strings = {"/v2", "/v2/models/lenet5", "/v2/models/lenet5/versions/12", "/v2/models/a.b_c-d/ready"})
    void shouldLetARowStandForThePathsBelowIt(String path) {
        assertThat(TABLE.operation("GET", path, false)).isEqualTo("GET /v2/**");
        assertThat(TABLE.operation("HEAD", path, false)).isEqualTo("GET /v2/**");
        assertThat(TABLE.decides("GET", path)).isTrue();
    }

    /** Each would reach another route if it counted as one below. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v2/",
                "/v2x",
                "//v2",
                "/v2//models",
                "/v2/../rule",
                "/v2/..",
                "/v2/.hidden",
                "/v2/..;/rule",
                "/v2/models;x=1",
                "/v2/%2e%2e/rule",
                "/v2/models%2f..",
                "/v2/models\\..",
                "/v2/models?x",
                "/v2/models\n/rule",
                "/V2/models"
            })
    void shouldTakeAnOddPathForNoneBelow(String path) {
        assertThat(TABLE.decides("GET", path)).isFalse();
        assertThat(TABLE.mayDo(Role.READER, TABLE.operation("GET", path, false)))
                .isFalse();
    }

    @Test
    void shouldPreferARowOfItsOwnToOneAbove() {
        assertThat(TABLE.operation("GET", "/v2/health", false)).isEqualTo("GET /v2/health");
        assertThat(TABLE.isOpen("GET /v2/health")).isTrue();
        assertThat(TABLE.isOpen(TABLE.operation("GET", "/v2/health/x", false))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "READER, POST, /ask, true",
        "EVALUATOR, POST, /ask, true",
        "WORKER, POST, /ask, false",
        "READER, PUT, /rule, false",
        "EVALUATOR, PUT, /rule, false",
        "OPERATOR, PUT, /rule, true",
        "OPERATOR, DELETE, /nothing, true",
        "READER, POST, /v2/models, false",
        "READER, GET, /actuator/prometheus, true",
        "WORKER, GET, /actuator/prometheus, false"
    })
    void shouldLetARoleDoItsRowsAlone(Role role, String method, String path, boolean may) {
        assertThat(TABLE.mayDo(role, TABLE.operation(method, path, false))).isEqualTo(may);
    }

    @Test
    void shouldDecideAboutARouteOfTheOperatorAloneByARow() {
        assertThat(TABLE.decides("PUT", "/rule")).isTrue();
        assertThat(TABLE.decides("DELETE", "/rule")).isFalse();
        assertThat(TABLE.permissionsOf(Role.READER)).containsExactly("GET /actuator/**", "GET /v2/**", "POST /ask");
    }

    @Test
    void shouldTellAFirstWriteFromAnOverwrite() {
        assertThat(TABLE.mayDo(Role.WORKER, TABLE.operation("PUT", "/first", true)))
                .isTrue();
        assertThat(TABLE.mayDo(Role.WORKER, TABLE.operation("PUT", "/first", false)))
                .isFalse();
        assertThat(TABLE.operation("PUT", "/rule", true)).isEqualTo("PUT /rule");
    }
}
