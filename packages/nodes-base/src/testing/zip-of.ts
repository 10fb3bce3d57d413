import { crc32, inflateRawSync } from 'node:zlib';

interface ZipPart {
  /** Written unchanged, even if invalid. */
  name: string;
  deflated: Buffer;
  /** Uncompressed size that the archive declares. */
  size: number;
  encrypted?: boolean;
}

/** A handmade zip archive, for content that no library would write. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const local = Buffer.concat([header(part, 0x04034b50, 30), Buffer.from(part.name), part.deflated]);
    const central = header(part, 0x02014b50, 46);
    central.writeUInt32LE(offset, 42);
    bodies.push(local);
    directory.push(central, Buffer.from(part.name));
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

function header({ name, deflated, size, encrypted = false }: ZipPart, signature: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const at = length === 46 ? 6 : 4;
  bytes.writeUInt32LE(signature, 0);
  bytes.writeUInt16LE(20, at);
  bytes.writeUInt16LE(encrypted ? 1 : 0, at + 2);
  bytes.writeUInt16LE(8, at + 4);
  bytes.writeUInt32LE(encrypted ? 0 : crc32(inflateRawSync(deflated)), at + 10);
  bytes.writeUInt32LE(deflated.length, at + 14);
  bytes.writeUInt32LE(size, at + 18);
  bytes.writeUInt16LE(Buffer.byteLength(name), at + 22);
  return bytes;
}
