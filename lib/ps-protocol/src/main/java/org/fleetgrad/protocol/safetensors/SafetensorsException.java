package org.fleetgrad.protocol.safetensors;

import org.fleetgrad.files.text.Printable;

/**
 * Says which rule of the safetensors format a body breaks, with the tensor and the numbers in the message. The message is
 * {@linkplain Printable printable}, whatever names the body holds.
 */
public final class SafetensorsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final SafetensorsRule rule;

    SafetensorsException(SafetensorsRule rule, String message) {
        super(Printable.text(message));
        this.rule = rule;
    }

    /** Returns the broken rule. */
    public SafetensorsRule rule() {
        return rule;
    }
}
