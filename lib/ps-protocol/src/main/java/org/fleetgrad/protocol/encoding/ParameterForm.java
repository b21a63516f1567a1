package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.ParameterVersion;

/**
 * The bytes of a version that a client wants.
 *
 * @param encoding     of the values
 * @param omitsFrozen whether the tensors that the run does not train are left out
 */
public record ParameterForm(ParameterEncoding encoding, boolean omitsFrozen) {

    /** All tensors, unencoded. */
    public static final ParameterForm WHOLE = new ParameterForm(Encodings.PLAIN, false);

    /** The query parameter that leaves the frozen tensors out, and its value. */
    public static final String FROZEN = "frozen";

    /** The value of {@link #FROZEN}. */
    public static final String OMIT = "omit";

    /** Returns all tensors in this encoding. */
    public ParameterForm withFrozen() {
        return new ParameterForm(encoding, false);
    }

    /** Returns the strong entity tag of a version: other bytes, another tag. */
    public String etag(ParameterVersion version) {
        if (omitsFrozen) {
            return version.etagAs(encoding.isLossless() ? "trainable" : encoding.name() + "-trainable");
        }
        return encoding.isLossless() ? version.etag() : version.etagAs(encoding.name());
    }

    /**
     * Returns the parameters of a request's query, the first after {@code separator}; empty for {@link #WHOLE}.
     */
    public String query(char separator) {
        String encoded = encoding.isLossless() ? "" : separator + "encoding=" + encoding.name();
        if (!omitsFrozen) {
            return encoded;
        }
        return encoded + (encoded.isEmpty() ? separator : '&') + FROZEN + '=' + OMIT;
    }
}
