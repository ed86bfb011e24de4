"""Images, PDF files and recordings made in memory for the tests."""

from __future__ import annotations

import io
import struct
import wave

from PIL import Image, PngImagePlugin

__all__ = ["flac", "jpeg", "mp3", "pdf", "png", "tiff", "wav"]


def png(text: str = "", size: tuple[int, int] = (120, 80), colour: str = "white") -> bytes:
    """A PNG of one colour; ``text`` goes into a text chunk."""
    chunks = PngImagePlugin.PngInfo()
    if text:
        chunks.add_itxt("Description", text)
    return _saved(Image.new("RGB", size, colour), "PNG", pnginfo=chunks)


def jpeg(text: str = "", size: tuple[int, int] = (64, 64)) -> bytes:
    """A JPEG; ``text`` goes into its comment."""
    return _saved(Image.new("RGB", size, "red"), "JPEG", **({"comment": text.encode()} if text else {}))


def tiff(*sizes: tuple[int, int]) -> bytes:
    """A TIFF of several pages."""
    first, *others = [Image.new("L", size, 255) for size in sizes]
    return _saved(first, "TIFF", save_all=True, append_images=others)


def _saved(image: Image.Image, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def pdf(*texts: str) -> bytes:
    """A PDF with a page of A4 for each text, which is ASCII without parentheses; "" makes a page without text."""
    kids = " ".join(f"{3 + 2 * page} 0 R" for page in range(len(texts)))
    font = 3 + 2 * len(texts)
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>"]
    for page, text in enumerate(texts):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {4 + 2 * page} 0 R "
            f"/Resources << /Font << /F1 {font} 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    return _with_table(objects)


def _with_table(objects: list[str]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out + (head + tail).encode("ascii")


def wav(seconds: float, comment: str = "", rate: int = 8000) -> bytes:
    """A silent WAV; ``comment`` goes into its ``LIST INFO`` chunk."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(bytes(2 * round(seconds * rate)))
    plain = file.getvalue()
    if not comment:
        return plain
    text = comment.encode() + b"\0"
    text += b"\0" * (len(text) % 2)
    info = b"INFO" + struct.pack("<4sI", b"ICMT", len(text)) + text
    chunk = struct.pack("<4sI", b"LIST", len(info)) + info
    return plain[:4] + struct.pack("<I", len(plain) - 8 + len(chunk)) + plain[8:] + chunk


def mp3(frames: int, lyrics: str = "") -> bytes:
    """Silent frames of MPEG 1 layer III, 128 kbit/s and 44.1 kHz; ``lyrics`` go into an ID3v2.4 tag before them."""
    sound = (b"\xff\xfb\x90\x64" + bytes(413)) * frames
    if not lyrics:
        return sound
    body = b"\x03spa\0" + lyrics.encode()
    frame = b"USLT" + _seven_bits(len(body)) + b"\0\0" + body
    return b"ID3\x04\0\0" + _seven_bits(len(frame)) + frame + sound


def _seven_bits(size: int) -> bytes:
    """A size as ID3 writes it: four bytes of seven bits."""
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def flac(seconds: int, rate: int = 16_000) -> bytes:
    """A FLAC file's head: the stream information alone says how long it is."""
    packed = (rate << 44) | (0 << 41) | (15 << 36) | (seconds * rate)
    info = struct.pack(">HH", 4096, 4096) + bytes(6) + packed.to_bytes(8, "big") + bytes(16)
    return b"fLaC" + b"\x80" + len(info).to_bytes(3, "big") + info
