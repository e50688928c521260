"""Synthetic EDIDs."""

import struct


def edid(width, height):
    """Returns an EDID with one mode, in a DisplayID extension, whose timings have up to 65536 pixels per direction."""
    base = bytearray(128)
    base[0:8] = bytes([0, 255, 255, 255, 255, 255, 255, 0])
    base[8:10] = struct.pack(">H", (16 << 10) | (12 << 5) | 1)
    base[18:20] = bytes([1, 4])
    base[20] = 0xA5
    base[38:54] = bytes([1, 1] * 8)
    for start in (54, 72, 90, 108):
        base[start:start + 5] = bytes([0, 0, 0, 0x10, 0])
    base[126] = 1
    base[127] = -sum(base[:127]) & 255
    clock = min((width + 160) * (height + 60) * 30 // 10_000, (1 << 24) - 1)
    timing = struct.pack("<I", clock)[:3] + bytes([0x80])
    timing += struct.pack("<HHHHHHHH", width - 1, 159, 47, 31, height - 1, 59, 2, 4)
    data = bytes([3, 0, 20]) + timing
    section = bytes([0x12, len(data), 3, 0]) + data
    section += bytes([-sum(section) & 255])
    block = bytearray(128)
    block[0] = 0x70
    block[1:1 + len(section)] = section
    block[127] = -sum(block[:127]) & 255
    return bytes(base + block)
