package org.fleetgrad.runs.docker;

import java.io.IOException;
import org.fleetgrad.runs.start.ProgramActivity;
import org.fleetgrad.runs.start.Starting;

/**
 * A container that starts.
 *
 * @param name   in messages
 * @param docker its engine
 * @param id     the container's
 */
public record StartingContainer(String name, Docker docker, String id) implements Starting {

    @Override
    public ProgramActivity activity() throws IOException, InterruptedException {
        return docker.activity(id);
    }

    @Override
    public String logPlace() {
        return "of docker logs " + id.substring(0, Math.min(12, id.length()));
    }

    @Override
    public String lastLine() throws IOException, InterruptedException {
        String words = docker.lastWords(id);
        return words.substring(words.lastIndexOf('\n') + 1);
    }
}
