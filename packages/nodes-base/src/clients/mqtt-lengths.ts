/** The only kind of packet of a broker that may be long; the others have a byte for each topic of a request at most. */
const publishType = 3;

/** Maximum number of bytes in any other packet. The library takes a millisecond and more for each kilobyte of a long one. */
const maxControlBytes = 65_536;

/** Follows the packets of a broker without keeping them, and refuses those that the library cannot parse in short time. */
export class MqttLengths {
  #type: number | undefined;
  #length = 0;
  #scale = 1;
  /** Bytes of the current packet that are still to come. */
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

  /** The type, then the length, of seven bits in each byte. The library refuses a length of more than four. */
  #readHeader(byte: number): void {
    if (this.#type === undefined) {
      this.#type = byte >> 4;
      return;
    }
    this.#length += (byte & 127) * this.#scale;
    this.#scale *= 128;
    if (byte > 127) return;
    if (this.#type !== publishType && this.#length > maxControlBytes) throw new Error('a packet of the broker is too long');
    this.#left = this.#length;
    this.#type = undefined;
    this.#length = 0;
    this.#scale = 1;
  }
}
