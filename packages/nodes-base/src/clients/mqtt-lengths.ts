/**
 * The only broker packet that may be long; all others have at most one byte per topic of a request.
 */
const publishType = 3;

/**
 * Maximum number of bytes in any other packet. For a long packet, the library takes at least a
 * millisecond per kilobyte.
 */
const maxControlBytes = 65_536;

/**
 * Follows a broker's packets without keeping them, and refuses packets that the library cannot
 * parse quickly.
 */
export class MqttLengths {
  #type: number | undefined;
  #length = 0;
  #scale = 1;
  /** Remaining bytes of the current packet. */
  #left = 0;

  /** Throws at the header of a packet that is too long. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(chunk.length - at, this.#left);
      this.#left -= skipped;
      at += skipped;
      if (at < chunk.length) this.#readHeader(chunk.readUInt8(at++));
    }
  }

  /**
   * The type, then the length, with seven bits per byte. The library refuses a length of more than
   * four bytes.
   */
  #readHeader(byte: number): void {
    if (this.#type === undefined) {
      this.#type = byte >> 4;
      return;
    }
    this.#length += (byte & 127) * this.#scale;
    this.#scale *= 128;
    if (byte > 127) return;
    if (this.#type !== publishType && this.#length > maxControlBytes) throw new Error('a broker packet is too long');
    this.#left = this.#length;
    this.#type = undefined;
    this.#length = 0;
    this.#scale = 1;
  }
}
