"""What a writing process of the vault's tests runs; imports little, to start fast."""

from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault import Original, Record, add_to_vault

KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")


def record(number, document=None):
    name = f"d{number}" if document is None else document
    return Record(name, f"{number:064x}", (Original(0, 3, f"Ana {number}"),))


def write_many(path, writer, count):
    for number in range(count):
        add_to_vault(path, [record(1000 * writer + number)], KEY)
