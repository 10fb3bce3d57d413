/** Size of the length field that precedes a document's elements, in bytes. */
const lengthBytes = 4;

/**
 * Levels of nested documents for which `enters` is called, and the maximum length of their names,
 * in bytes.
 */
const [askedLevels, maxNameBytes] = [3, 64];

/** Deepest nesting of a document; servers allow 100 levels. */
const maxLevels = 200;

/** Size of fixed-size values in bytes, by type number (BSON 1.1). */
const fixedBytes = new Map([
  [0x01, 8], // double
  [0x06, 0], // undefined
  [0x07, 12], // object ID
  [0x08, 1], // boolean
  [0x09, 8], // date
  [0x0a, 0], // null
  [0x10, 4], // int32
  [0x11, 8], // timestamp
  [0x12, 8], // int64
  [0x13, 16], // decimal128
  [0x7f, 0], // largest key
  [0xff, 0], // smallest key
]);

/** Bytes in addition to the length prefix of a value, by type. */
const extraBytes = new Map([
  [0x02, 4], // text
  [0x05, 5], // binary, with its subtype
  [0x0c, 16], // pointer: a string and an object ID
  [0x0d, 4], // code
  [0x0e, 4], // symbol
  [0x0f, 0], // code with scope: its total length
]);

const [documentType, arrayType, patternType] = [0x03, 0x04, 0x0b];

interface BsonLimits {
  /** Maximum number of elements, at all levels together. */
  maxElements: number;
  /**
   * Whether the elements of a document or array within three levels count, given the names on its
   * path. Default: all do.
   */
  enters?: (path: readonly string[]) => boolean;
}

/**
 * Whether a BSON document is well-formed and has few enough elements, so that parsing it takes a
 * bounded time. Follows lengths without reading values.
 */
export function isBoundedBson(bytes: Buffer, limits: BsonLimits): boolean {
  return new BsonWalk(bytes, limits).isBounded();
}

class BsonWalk {
  readonly #bytes: Buffer;
  readonly #maxElements: number;
  readonly #enters: NonNullable<BsonLimits['enters']>;
  /** End offset and name of each open document, outermost first. */
  readonly #ends: number[] = [];
  readonly #path: string[] = [];
  #at = 0;
  #elements = 0;

  constructor(bytes: Buffer, { maxElements, enters = () => true }: BsonLimits) {
    this.#bytes = bytes;
    this.#maxElements = maxElements;
    this.#enters = enters;
  }

  isBounded(): boolean {
    let isValid = this.#open(this.#bytes.length);
    while (isValid && this.#ends.length > 0) {
      const type = this.#bytes[this.#at++];
      isValid = type === 0 ? this.#close() : type !== undefined && this.#readElement(type);
    }
    return isValid && this.#at === this.#bytes.length;
  }

  /** Enters the document here, which may end at `limit` at the latest. */
  #open(limit: number): boolean {
    const end = this.#at + this.#lengthHere();
    if (end > limit || this.#ends.length >= maxLevels) return false;
    this.#ends.push(end);
    this.#at += lengthBytes;
    return true;
  }

  #close(): boolean {
    this.#path.pop();
    return this.#at === this.#ends.pop();
  }

  /** Reads the name, and enters or skips the value, which must end within the document. */
  #readElement(type: number): boolean {
    const limit = (this.#ends.at(-1) as number) - 1;
    const nameEnd = this.#bytes.indexOf(0, this.#at);
    this.#elements += 1;
    if (nameEnd < 0 || nameEnd >= limit || this.#elements > this.#maxElements) return false;
    const nameAt = this.#at;
    this.#at = nameEnd + 1;
    if (type === documentType || type === arrayType) return this.#readDocument(this.#nameAt(nameAt, nameEnd), limit);
    this.#at = this.#endOfValue(type);
    return this.#at <= limit;
  }

  #readDocument(name: string, limit: number): boolean {
    this.#path.push(name);
    if (this.#path.length > askedLevels || this.#enters(this.#path)) return this.#open(limit);
    this.#path.pop();
    this.#at += this.#lengthHere();
    return this.#at <= limit;
  }

  #nameAt(start: number, end: number): string {
    return this.#path.length < askedLevels ? this.#bytes.toString('utf8', start, Math.min(end, start + maxNameBytes)) : '';
  }

  /** Length prefix of a document; infinite if it is invalid. */
  #lengthHere(): number {
    const length = this.#readLength();
    return length > lengthBytes ? length : Number.POSITIVE_INFINITY;
  }

  #endOfValue(type: number): number {
    const extra = extraBytes.get(type);
    if (extra !== undefined) return this.#at + this.#readLength() + extra;
    if (type === patternType) return this.#endOfText(this.#endOfText(this.#at));
    return this.#at + (fixedBytes.get(type) ?? Number.POSITIVE_INFINITY);
  }

  #readLength(): number {
    const length = this.#at + lengthBytes <= this.#bytes.length ? this.#bytes.readInt32LE(this.#at) : -1;
    return length < 0 ? Number.POSITIVE_INFINITY : length;
  }

  #endOfText(start: number): number {
    const end = this.#bytes.indexOf(0, start);
    return end < 0 ? Number.POSITIVE_INFINITY : end + 1;
  }
}
