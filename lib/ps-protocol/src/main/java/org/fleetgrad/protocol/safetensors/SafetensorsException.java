package org.fleetgrad.protocol.safetensors;

import org.fleetgrad.files.text.Printable;

/**
 * Says which rule of the safetensors format a body breaks, with the tensor and the numbers in the message. The message
 * is {@linkplain Printable printable}, even if the names in the body are not.
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
