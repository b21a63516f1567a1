package org.fleetgrad.datasets.text;

/**
 * Reads what a {@code tokenizer.json} of Hugging Face's says. A program that encodes such texts has an implementation on its class
 * path, which {@code ServiceLoader} finds; a program that reads tokens needs none.
 */
public interface TokenizerLibrary {

    /**
     * Opens a tokenizer.
     *
     * @param json the contents of the file
     * @throws IllegalArgumentException if it is not a tokenizer; the message completes a sentence whose subject is the file
     */
    TokenCodec open(String json);

    /** An open tokenizer. Thread-safe. */
    interface TokenCodec {

        /**
         * Encodes a text.
         *
         * @param isWhole whether the tokens that mark its begin and its end are added
         */
        int[] encode(String text, boolean isWhole);

        /** Decodes tokens; those that only mark something are left out. */
        String decode(int[] tokens);
    }
}
