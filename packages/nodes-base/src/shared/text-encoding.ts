import { NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { type ParameterSource, textParameter } from './parameters.ts';
import { choices } from './properties.ts';

/** Encodings offered in editors; all other names that `iconv-lite` supports are also accepted. */
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

/** Decodes and encodes text in one encoding. */
interface TextCodec {
  /** In time slices. `stripBom`: removes a byte order mark at the start. */
  decode(bytes: Uint8Array, stripBom: boolean): Promise<string>;
  /** In time slices. */
  encode(text: string, addBom: boolean): Promise<Buffer>;
}

/** The codec for a parameter. Throws a `NodeOperationError` for an unknown encoding. */
export async function codecParameter(context: ParameterSource, path: string, itemIndex: number): Promise<TextCodec> {
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
      const encodingName = encodingOf(bytes, encoding);
      if (isShort(bytes) || native.test(encodingName)) return iconv.decode(bytes, encodingName, { stripBOM });
      const decoder = iconv.getDecoder(encodingName, { stripBOM });
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

/** Converted by Node itself, a hundred times as fast as by the library. */
const native = /^(utf-?8|utf-?16-?le|ucs-?2|ascii|latin1|binary|base64|hex)$/i;

/** Number of bytes or characters that are converted at once, which takes a few milliseconds. */
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

/**
 * The encoding to use: UTF-16 if UTF-8 is requested but the file starts with a UTF-16 byte order
 * mark, which is not valid UTF-8.
 */
function encodingOf(bytes: Uint8Array, wanted: string): string {
  return (/^utf-?8$/i.test(wanted) && utf16Of(bytes)) || wanted;
}

/** The encoding that a UTF-16 byte order mark indicates. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
