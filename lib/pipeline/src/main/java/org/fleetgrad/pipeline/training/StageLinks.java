package org.fleetgrad.pipeline.training;

import java.util.Optional;
import org.fleetgrad.pipeline.channel.FrameLink;

/**
 * The connections of a stage to its neighbours.
 *
 * @param before to the stage before; empty on the first stage
 * @param after  to the stage after; empty on the last stage
 */
public record StageLinks(Optional<FrameLink> before, Optional<FrameLink> after) {

    /** Notifies both neighbours that this stage failed. Any thread may call it. */
    public void fail(Throwable cause) {
        before.ifPresent(link -> link.fail(cause));
        after.ifPresent(link -> link.fail(cause));
    }

    /** Signals to both neighbours that no frame will follow. */
    public void finish() {
        after.ifPresent(FrameLink::finish);
        before.ifPresent(FrameLink::finish);
    }
}
