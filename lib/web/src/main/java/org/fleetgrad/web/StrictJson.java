package org.fleetgrad.web;

import com.fasterxml.jackson.annotation.Nulls;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * Makes a service accept only requests that match {@code openapi.yaml}: a misspelt member, the text "3" for a number or 3.5 for
 * an integer is refused, where it would otherwise be dropped or changed silently.
 */
public final class StrictJson {

    private StrictJson() {}

    /** Configures a mapper; a null in place of a member that may be absent still counts as absent. */
    public static JsonMapper.Builder apply(JsonMapper.Builder builder) {
        return builder.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        texts -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL));
    }
}
