package org.fleetgrad.inference.prediction;

import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;

/** Reads the samples of a request once it is known what the version takes. */
@FunctionalInterface
public interface SampleReader {

    /**
     * Reads them.
     *
     * @param memory from which the request's samples are allocated
     * @throws InvalidImagesException if the request has others, or there is no memory for them
     */
    Images read(SampleForm form, SampleMemory.Lease memory);
}
