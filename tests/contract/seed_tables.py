"""The seed's two tables, written down by hand (seed §3.1 and §3.3)."""

from __future__ import annotations

TOOLS = [
    ("clasificar", "CLASSIFIER", "Semántica"),
    ("resumir", "SUMMARIZER", "Semántica"),
    ("ocr", "OCR_CORE", "Visión"),
    ("transcribir", "ASR_ENGINE", "Voz"),
    ("traducir", "TRANSLATOR", "Semántica"),
    ("extraer_campos", "FIELD_EXTRACTOR", "Utilidades"),
    ("embeddings", "EMBEDDINGS", "Semántica"),
    ("detectar_idioma", "LANG_DETECT", "Utilidades"),
    ("generar_hash", "HASHER", "Utilidades"),
]
"""Tool, module and family, row by row."""

CHAINS = {
    "OCR_CORE": ("OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"),
    "ASR_ENGINE": ("ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ"),
}
"""Module to the modules that are tried in its place, in order."""
