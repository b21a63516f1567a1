package org.fleetgrad.e2e.hostile;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens written by hand, right and wrong ones. */
final class Jwt {

    static final String HS256 = "{\"typ\":\"JWT\",\"alg\":\"HS256\"}";

    private Jwt() {}

    /** Signs claims with a key, whatever the header says. */
    static String sign(byte[] key, String header, String claims) {
        String text =
                part(header.getBytes(StandardCharsets.UTF_8)) + "." + part(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return text + "." + part(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
