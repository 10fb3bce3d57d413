const headerBytes = 8;
const importSection = 2;
const imported = { function: 0, memory: 2, global: 3 } as const;

/**
 * Patches a WebAssembly module to require only `pages` (of 64 KiB) of imported memory; its data and
 * stack must fit into them. Throws a `TypeError` for a module that it cannot read.
 */
export function withLeastMemory(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(wasm);
  const reader = new Reader(bytes, headerBytes);
  skipToImports(reader);
  skipToMemory(reader);
  const start = reader.at;
  reader.number();
  write(bytes.subarray(start, reader.at), pages);
  return bytes;
}

function skipToImports(reader: Reader): void {
  while (reader.byte() !== importSection) reader.skip(reader.number());
  reader.number(); // its length
}

/** Skips to the minimum page count of the memory import. */
function skipToMemory(reader: Reader): void {
  for (let remaining = reader.number(); remaining > 0; remaining -= 1) {
    reader.skip(reader.number()); // the module's name
    reader.skip(reader.number()); // its own
    const kind = reader.byte();
    if (kind === imported.function) reader.number();
    else if (kind === imported.global) reader.skip(2);
    else if (kind !== imported.memory) break;
    else {
      reader.skip(1); // whether there is a maximum
      return;
    }
  }
  throw new TypeError('no memory found among the imports of the module');
}

/**
 * Writes LEB128: seven bits per byte, lowest first, with a continuation bit on all but the last.
 */
function write(field: Uint8Array, value: number): void {
  const last = field.length - 1;
  if (value >= 2 ** (7 * field.length)) throw new TypeError(`the module has no room for the number ${value}`);
  for (let i = 0; i <= last; i += 1) field[i] = ((value >>> (7 * i)) & 0x7f) | (i < last ? 0x80 : 0);
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new TypeError('the module is cut short');
    this.at += 1;
    return byte;
  }

  /** Reads the form that `write` produces. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new TypeError('the module has a number that is too long');
  }

  skip(count: number): void {
    this.at += count;
  }
}
