package org.example.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.ps.EmbeddedServer;
import org.junit.jupiter.api.Test;

class OwnWorkerTest {

    @Test
    void shouldFitTheLine() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start("ps.learning-rate=0.1")) {
            double loss = OwnWorker.train(server.address(), 200);

            Pulled fitted = (Pulled) new PsClient(server.address(), ClientOptions.DEFAULT).pull();
            assertEquals(0, loss, 1e-6);
            assertEquals(200, fitted.version().version());
            assertArrayEquals(new float[] {1, 3}, fitted.parameters().toFloats(OwnWorker.LAYOUT), 1e-3f);
        }
    }
}
