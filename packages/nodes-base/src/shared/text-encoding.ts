import { type ExecuteContext, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { textParameter } from './parameters.ts';
import { choices } from './properties.ts';

/** The encodings that editors offer; any other name that `iconv-lite` knows is understood as well. */
export const encodingChoices = choices(
  ['utf8', 'UTF-8'],
  ['utf16le', 'UTF-16, little endian'],
  ['utf16be', 'UTF-16, big endian'],
  ['ucs2', 'UCS-2'],
  ['cesu8', 'CESU-8'],
  ['ascii', 'ASCII'],
  ['latin1', 'ISO 8859-1'],
  ['iso88592', 'ISO 8859-2'],
  ['iso885915', 'ISO 8859-15'],
  ['windows1250', 'Windows 1250'],
  ['windows1251', 'Windows 1251'],
  ['windows1252', 'Windows 1252'],
  ['macroman', 'Mac Roman'],
  ['koi8r', 'KOI8-R'],
  ['shiftjis', 'Shift JIS'],
  ['eucjp', 'EUC-JP'],
  ['gb18030', 'GB 18030'],
  ['gbk', 'GBK'],
  ['big5', 'Big5'],
  ['euckr', 'EUC-KR'],
  ['base64', 'Base64'],
  ['hex', 'Hexadecimal'],
);

/** Texts that are read and written in one encoding. */
export interface TextCodec {
  /** In time slices. `stripBom`: without a byte order mark at the start. */
  decode(bytes: Uint8Array, stripBom: boolean): Promise<string>;
  /** In time slices. */
  encode(text: string, addBom: boolean): Promise<Buffer>;
}

/** The codec that a parameter names. Throws a `NodeOperationError` where there is no such encoding. */
export async function codecParameter(context: ExecuteContext, path: string, itemIndex: number): Promise<TextCodec> {
  const encoding = textParameter(context, path, itemIndex).trim() || 'utf8';
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(encoding)) {
    throw new NodeOperationError(`there is no encoding named "${encoding}"`, {
      itemIndex,
      description: 'Use a name such as utf8, utf16le, latin1 or windows1252',
    });
  }
  return {
    async decode(bytes, stripBOM) {
      const found = encodingOf(bytes, encoding);
      if (isShort(bytes) || native.test(found)) return iconv.decode(bytes, found, { stripBOM });
      const decoder = iconv.getDecoder(found, { stripBOM });
      const parts = await inPieces(bytes.length, (start, end) => decoder.write(Buffer.from(bytes.subarray(start, end))));
      return parts.join('') + (decoder.end() ?? '');
    },
    async encode(text, addBOM) {
      if (isShort(text) || native.test(encoding)) return iconv.encode(text, encoding, { addBOM });
      const encoder = iconv.getEncoder(encoding, { addBOM });
      const parts = await inPieces(text.length, (start, end) => encoder.write(text.slice(start, end)));
      return Buffer.concat([...parts, encoder.end() ?? Buffer.alloc(0)]);
    },
  };
}

/** Node converts these itself, a hundred times as fast as the library does others. */
const native = /^(utf-?8|utf-?16-?le|ucs-?2|ascii|latin1|binary|base64|hex)$/i;

/** Bytes or characters that are converted at once: a few milliseconds. */
const pieceLength = 64 * 1024;

function isShort({ length }: { length: number }): boolean {
  return length <= pieceLength;
}

async function inPieces<T>(length: number, convert: (start: number, end: number) => T): Promise<T[]> {
  const slice = new TimeSlice();
  const parts: T[] = [];
  for (let start = 0; start < length; start += pieceLength) {
    parts.push(convert(start, start + pieceLength));
    if (slice.isOver) await slice.next();
  }
  return parts;
}

/** That of the file's own mark where the wanted one is UTF-8: what begins with a mark of UTF-16 is none. */
function encodingOf(bytes: Uint8Array, wanted: string): string {
  return (/^utf-?8$/i.test(wanted) && utf16Of(bytes)) || wanted;
}

/** The encoding of a text that begins with a mark of UTF-16. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
