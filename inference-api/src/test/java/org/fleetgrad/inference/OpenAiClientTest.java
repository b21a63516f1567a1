package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Completions, asked for by OpenAI's own client. */
@Tag("whole")
class OpenAiClientTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String SCRIPT = """
            import asyncio
            import sys
            import time
            import openai

            base, greedy, drawn = sys.argv[1:]
            client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)
            sampled = dict(model="fleetgrad", prompt="ROMEO:", max_tokens=40, temperature=0.8, top_p=0.95, seed=7)

            listed = client.models.list().data
            assert [model.id for model in listed] == ["fleetgrad"], listed
            assert listed[0] == client.models.retrieve("fleetgrad"), listed
            assert listed[0].object == "model" and listed[0].owned_by == "fleetgrad" and listed[0].version == 1, listed
            assert 0 < listed[0].created <= time.time(), listed
            try:
                client.models.retrieve("gpt-4")
                raise SystemExit("there is no such model")
            except openai.NotFoundError as refused:
                assert "there is no model 'gpt-4'; the model is 'fleetgrad'" in str(refused), refused

            whole = client.completions.create(model="fleetgrad", prompt="ROMEO:", max_tokens=40, temperature=0)
            assert whole.choices[0].text == greedy, whole
            assert whole.choices[0].finish_reason == "length" and whole.choices[0].logprobs is None, whole
            assert whole.usage.prompt_tokens == 6 and whole.usage.total_tokens == 46, whole
            assert whole.object == "text_completion" and whole.version == 1 and whole.generation == "g", whole
            assert client.completions.create(**sampled).choices[0].text == drawn

            chunks = list(client.completions.create(**sampled, stream=True, stream_options={"include_usage": True}))
            assert "".join(c.choices[0].text for c in chunks[:-1]) == drawn, chunks
            assert len(chunks) > 2 and all(c.version == 1 and c.id == chunks[0].id for c in chunks), chunks
            assert [c.choices[0].finish_reason for c in chunks[:-1]] == [None] * (len(chunks) - 2) + ["length"], chunks
            assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens == 40, chunks
            live = list(client.completions.create(**sampled, stream=True, extra_body={"version": "live"}))
            assert "".join(c.choices[0].text for c in live) == drawn, live

            stopped = client.completions.create(**{**sampled, "stop": drawn[10:12]})
            assert stopped.choices[0].text == drawn[:drawn.index(drawn[10:12])], stopped
            assert stopped.choices[0].finish_reason == "stop", stopped

            for wrong, raised, message in [
                ({"model": "gpt-4"}, openai.NotFoundError, "there is no model 'gpt-4'; the model is 'fleetgrad'"),
                ({"n": 2}, openai.BadRequestError, "n must be 1"),
                ({"prompt": "1"}, openai.BadRequestError, "is not one of the alphabet's"),
                ({"extra_body": {"version": 99}}, openai.NotFoundError, "the version 99 is not held"),
            ]:
                for stream in (False, True):
                    try:
                        client.completions.create(**{**sampled, **wrong}, stream=stream)
                        raise SystemExit("not refused: %s" % wrong)
                    except raised as refused:
                        assert message in str(refused), refused

            async def several():
                asked = openai.AsyncOpenAI(base_url=base, api_key="none")
                texts = await asyncio.gather(*(asked.completions.create(**sampled) for _ in range(20)))
                assert all(text.choices[0].text == drawn for text in texts), texts

            asyncio.run(several())
            # A stream that is left early.
            with client.completions.create(**{**sampled, "max_tokens": 1000}, stream=True) as stream:
                next(iter(stream))
            print("understood")
            """;

    @Test
    void shouldBeUnderstoodByOpenAisClient() throws IOException {
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService service = RunningService.start("inference.server=" + server.uri())) {
            ParameterVersion version = new ParameterVersion("g", 1);
            server.publish(version, TinyGpt2.set(version));
            LiveModel model = service.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());

            String printed = Python.runWithOpenAi(
                    SCRIPT,
                    service.uri("/v1").toString(),
                    TinyGpt2.continued(version, "ROMEO:", 40, Sampling.GREEDY, 0),
                    TinyGpt2.continued(version, "ROMEO:", 40, new Sampling(0.8, 0.95), 7));

            assertThat(printed.strip()).isEqualTo("understood");
        }
    }
}
