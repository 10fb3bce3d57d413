/** Formats that the node reads and writes, under their names in workflows. */
export const imageFormats = ['bmp', 'gif', 'jpeg', 'png', 'tiff', 'webp'] as const;

export type ImageFormat = (typeof imageFormats)[number];

const signatures: readonly [ImageFormat, (head: string) => boolean][] = [
  ['bmp', (head) => head.startsWith('BM')],
  ['gif', (head) => head.startsWith('GIF8')],
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['tiff', (head) => head.startsWith('II*\0') || head.startsWith('MM\0*')],
  ['webp', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'],
];

/**
 * An image's format, from its first bytes; `undefined` for other files, regardless of their name.
 */
export function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  return signatures.find(([, matches]) => matches(head))?.[0];
}
