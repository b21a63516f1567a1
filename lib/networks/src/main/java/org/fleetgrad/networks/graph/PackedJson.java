package org.fleetgrad.networks.graph;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** JSON as an argument of a network's name: raw DEFLATE (RFC 1951) in base64 for addresses (RFC 4648). */
public final class PackedJson {

    /** Most bytes of the JSON. */
    public static final int MOST_BYTES = 4 << 20;

    private PackedJson() {}

    /** Packs a document. */
    public static String pack(byte[] json) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        Deflater raw = new Deflater(Deflater.BEST_COMPRESSION, true);
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, raw)) {
            out.write(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            raw.end();
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(packed.toByteArray());
    }

    /**
     * Unpacks a document; one that is longer than {@link #MOST_BYTES} ends one byte behind it.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static byte[] unpack(String packed) {
        Inflater raw = new Inflater(true);
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getUrlDecoder().decode(packed)), raw)) {
            return in.readNBytes(MOST_BYTES + 1);
        } catch (IOException | IllegalArgumentException damaged) {
            throw new IllegalArgumentException(String.valueOf(damaged.getMessage()), damaged);
        } finally {
            raw.end();
        }
    }
}
