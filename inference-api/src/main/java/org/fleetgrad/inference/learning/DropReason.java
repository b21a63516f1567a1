package org.fleetgrad.inference.learning;

/** Why a labelled answer becomes no sample. */
public enum DropReason {
    /** Its input made room for newer ones, or was not kept, since it is no image. */
    FORGOTTEN("forgotten"),
    /** The version that answered has other classes or other images than the run's dataset. */
    OTHER_CLASSES("other-classes"),
    /** More labels came than the disk takes. */
    BEHIND("behind"),
    /** Its shard could not be written. */
    UNWRITABLE("unwritable"),
    /** Its shard waited until newer ones needed its room. */
    ROOM("room");

    private final String tag;

    DropReason(String tag) {
        this.tag = tag;
    }

    /** Returns its name in metrics. */
    public String tag() {
        return tag;
    }
}
