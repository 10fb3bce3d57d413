/**
 * How values of a Postgres type are sent in its binary format. Postgres never changes these object
 * IDs.
 */
interface BinaryType {
  /** Object ID of the type. */
  oid: number;
  byteLength: (value: never) => number;
  write: (to: Buffer, value: never, at: number) => void;
}

const textual = {
  byteLength: (value: string) => Buffer.byteLength(value),
  write: (to: Buffer, value: string, at: number) => void to.write(value, at),
};

const types: Readonly<Record<string, BinaryType>> = {
  boolean: { oid: 16, byteLength: () => 1, write: (to, value: boolean, at) => void to.writeUInt8(Number(value), at) },
  bytea: {
    oid: 17,
    byteLength: (value: Buffer) => value.length,
    write: (to, value: Buffer, at) => void value.copy(to, at),
  },
  bigint: {
    oid: 20,
    byteLength: () => 8,
    write: (to, value: string | number, at) => void to.writeBigInt64BE(BigInt(value), at),
  },
  int: { oid: 23, byteLength: () => 4, write: (to, value: number, at) => void to.writeInt32BE(value, at) },
  text: { oid: 25, ...textual },
  json: { oid: 114, ...textual },
};

/**
 * Number of dimensions, whether values are null, object ID of the type, length, and first index.
 */
const headLength = 20;

/**
 * An array in Postgres's binary format, or unchanged for types that this file does not list. `pg`
 * would send text, which takes both sides longer to write and to parse, and twice the bytes for
 * `bytea`.
 */
export function binaryArray(type: string, values: readonly unknown[]): Buffer | readonly unknown[] {
  const binary = types[type];
  if (!binary || values.length === 0) return values;
  const lengths = values.map((value) => (value === null || value === undefined ? -1 : binary.byteLength(value as never)));
  const array = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headLength));
  array.writeInt32BE(1, 0);
  array.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4);
  array.writeInt32BE(binary.oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = headLength;
  lengths.forEach((length, i) => {
    at = array.writeInt32BE(length, at);
    if (length > 0) binary.write(array, values[i] as never, at);
    at += Math.max(0, length);
  });
  return array;
}
