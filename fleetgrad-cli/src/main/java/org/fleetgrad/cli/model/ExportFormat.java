package org.fleetgrad.cli.model;

/** What a model can be exported to. */
enum ExportFormat {
    /** One file for PyTorch. */
    SAFETENSORS,
    /** One file for every runtime of ONNX. */
    ONNX,
    /** A folder that transformers open. */
    HUGGINGFACE
}
