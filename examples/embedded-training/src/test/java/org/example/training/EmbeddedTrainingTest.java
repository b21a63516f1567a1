package org.example.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.ps.EmbeddedServer;
import org.junit.jupiter.api.Test;

class EmbeddedTrainingTest {

    private static final NetworkDefinition LENET = Networks.named("lenet5", List.of(1, 28, 28), 10);

    @Test
    void shouldTrainWithTwoWorkersOfThisJvm() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(
                "ps.learning-rate=0.02", "ps.optimizer=sgd:momentum=0.9", "ps.staleness=look-ahead")) {
            PsClient client = new PsClient(server.address(), ClientOptions.DEFAULT);
            EmbeddedTraining.begin(client, LENET);
            double before = Accuracy.of(client, LENET);

            EmbeddedTraining.train(client, LENET, 2, 250);

            double afterwards = Accuracy.of(client, LENET);
            assertTrue(before < 0.3, "accuracy before: " + before);
            assertTrue(afterwards > 0.8, "accuracy afterwards: " + afterwards);
            assertEquals(500, client.version().version());
        }
    }
}
