/**
 * Size of one slot in bytes; it contains the order of entry, the text length, and the text. Longer
 * texts are truncated.
 */
const slotBytes = 512;
const headBytes = 6;
/** Maximum number of entries; further entries are not recorded. */
const maxSlots = 1024;
const separator = '\u0000';

/** The fields of one piece of work, by name. */
export type InFlightEntry = Readonly<Record<string, string>>;

/**
 * A process's work in flight, in memory shared with the watchdog thread, which reads it when the
 * event loop is stuck. Entering and leaving take less than a microsecond in total.
 */
export class InFlight {
  readonly memory: SharedArrayBuffer;
  readonly fields: readonly string[];
  readonly #bytes: Buffer;
  readonly #free: number[];
  #order = 0;

  /** @param fields names of the strings that `enter` takes, in the same order. */
  constructor(fields: readonly string[], memory = new SharedArrayBuffer(maxSlots * slotBytes)) {
    this.fields = fields;
    this.memory = memory;
    this.#bytes = Buffer.from(memory);
    this.#free = Array.from({ length: memory.byteLength / slotBytes }, (_, i) => i * slotBytes).reverse();
  }

  /** Returns the ticket that `leave` takes. */
  enter(...texts: string[]): number {
    const slot = this.#free.pop();
    if (slot === undefined) return -1;
    const bytes = this.#bytes;
    bytes.writeUInt16LE(bytes.write(texts.join(separator), slot + headBytes, slotBytes - headBytes, 'utf8'), slot + 4);
    this.#order = (this.#order + 1) >>> 0 || 1; // 0 marks a free slot
    bytes.writeUInt32LE(this.#order, slot);
    return slot;
  }

  leave(slot: number): void {
    if (slot < 0) return;
    this.#bytes.writeUInt32LE(0, slot);
    this.#free.push(slot);
  }

  /** Everything in flight, the latest entry first. */
  list(): InFlightEntry[] {
    const bytes = this.#bytes;
    const entries: { order: number; entry: InFlightEntry }[] = [];
    for (let slot = 0; slot < bytes.length; slot += slotBytes) {
      const order = bytes.readUInt32LE(slot);
      if (order === 0) continue;
      const start = slot + headBytes;
      const texts = bytes.toString('utf8', start, start + bytes.readUInt16LE(slot + 4)).split(separator);
      entries.push({ order, entry: Object.fromEntries(this.fields.map((field, i) => [field, texts[i] ?? ''])) });
    }
    return entries.sort((a, b) => b.order - a.order).map(({ entry }) => entry);
  }
}
