package org.fleetgrad.serving;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.datasets.text.ByteTokenizer;
import org.fleetgrad.libtorch.TextDecoder;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Language models that say a text over and over, byte by byte: after n tokens, the byte n - 1 of the text is the most probable
 * one. Throws if one is loaded or closed while a decoder is open, or used afterwards.
 */
public final class FakeTexts implements Classifiers {

    /** Bytes that a decoder takes for each token. */
    public static final long TOKEN_BYTES = 10;

    /** Bytes of the parameters of a version. */
    public static final long VERSION_BYTES = 16;

    private static final String SAYS = "says";
    private static final int VOCABULARY = 256;
    private static final int CONTEXT = 100;
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 4)));

    /** Number of open instances. */
    public final AtomicInteger open = new AtomicInteger();

    /** Number of open decoders. */
    public final AtomicInteger decoders = new AtomicInteger();

    /** Each computation of a decoder takes one. */
    public final Semaphore turns = new Semaphore(1 << 20);

    /** Returns the parameters of a version that says a text. */
    public static TensorSet says(String text) {
        return TensorSet.ofFloats(
                LAYOUT,
                new float[4],
                Map.of(MetadataKeys.NETWORK, "fake", MetadataKeys.TOKENIZER, ByteTokenizer.NAME, SAYS, text));
    }

    /** Makes a model of such networks that holds two versions. */
    public LiveModel model() {
        return new LiveModel(this, network -> ModelDescription.NONE, 1 << 20);
    }

    /** Makes a version of the first generation. */
    public static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }

    @Override
    public ServedNetwork networkOf(TensorSet parameters) {
        return new ServedNetwork("fake", new LanguageModel(CONTEXT, VOCABULARY), 1);
    }

    @Override
    public Classifier open(ServedNetwork network) {
        open.incrementAndGet();
        return new Speaker();
    }

    private final class Speaker implements Classifier, Decoders {

        private byte[] says = {};
        private int decodersHere;
        private boolean isClosed;

        private synchronized void requireFree() {
            if (decodersHere > 0 || isClosed) {
                throw new IllegalStateException("%d decoders, closed: %s".formatted(decodersHere, isClosed));
            }
        }

        @Override
        public void load(TensorSet parameters) {
            requireFree();
            says = parameters.metadata().getOrDefault(SAYS, "").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public float[] logits(float[] images, int count) {
            return new float[count * CONTEXT * VOCABULARY];
        }

        @Override
        public Optional<Decoders> decoders() {
            return Optional.of(this);
        }

        @Override
        public long bytes(int mostTokens) {
            return TOKEN_BYTES * mostTokens;
        }

        @Override
        public synchronized TextDecoder open(int mostTokens) {
            decodersHere++;
            decoders.incrementAndGet();
            return new Speech(this, mostTokens);
        }

        synchronized void end() {
            decodersHere--;
            decoders.decrementAndGet();
        }

        @Override
        public synchronized void close() {
            requireFree();
            isClosed = true;
            open.decrementAndGet();
        }
    }

    private final class Speech implements TextDecoder {

        private final Speaker speaker;
        private final int mostTokens;
        private int length;

        Speech(Speaker speaker, int mostTokens) {
            this.speaker = speaker;
            this.mostTokens = mostTokens;
        }

        @Override
        public float[] append(int... tokens) {
            turns.acquireUninterruptibly();
            if (tokens.length > mostTokens - length) {
                throw new IllegalArgumentException("more than %d tokens".formatted(mostTokens));
            }
            length += tokens.length;
            return recompute();
        }

        @Override
        public float[] recompute() {
            float[] logits = new float[VOCABULARY];
            logits[Byte.toUnsignedInt(speaker.says[(length - 1) % speaker.says.length])] = 100;
            return logits;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public int start() {
            return 0;
        }

        @Override
        public void close() {
            speaker.end();
        }
    }
}
