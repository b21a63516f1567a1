package org.fleetgrad.serving;

/**
 * A network that a parameter set names.
 *
 * @param name       complete, such as {@code lenet5?classes=10&input=1x28x28}: it alone fixes the network
 * @param shape      shape of its images
 * @param outputs    number of its logits; a dataset may have fewer classes
 * @param imageBytes memory that a prediction takes for each image, in bytes
 */
public record ServedNetwork(String name, ImageShape shape, int outputs, long imageBytes) {}
