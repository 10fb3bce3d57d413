import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initializeImageMagick, Magick, ResourceLimits } from '@imagemagick/magick-wasm';
import { maxSide } from './image-step.ts';

const { resolve } = createRequire(import.meta.url);

/**
 * The engine's linear memory: an image with the maximum number of pixels, 4 bytes each, and two
 * copies of it.
 */
const maxMemoryBytes = 640 * 1024 * 1024;
/** Memory for pixels: the rest is for codecs. */
const maxPixelBytes = 560 * 1024 * 1024;
const pageBytes = 65_536;

let loaded: Promise<void> | undefined;

/**
 * Loads ImageMagick, once per thread. It has no file access, and its memory is limited to what an
 * image may use.
 */
export function loadMagick(): Promise<void> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<void> {
  boundMemory();
  await initializeImageMagick(new Uint8Array(await readFile(resolve('@imagemagick/magick-wasm/magick.wasm'))));
  ResourceLimits.width = BigInt(maxSide);
  ResourceLimits.height = BigInt(maxSide);
  ResourceLimits.area = BigInt(maxPixelBytes);
  ResourceLimits.memory = BigInt(maxPixelBytes);
  // The engine's files would be in memory.
  ResourceLimits.disk = 0n;
  ResourceLimits.listLength = 16n;
  ResourceLimits.maxProfileSize = BigInt(16 * 1024 * 1024);
}

/** `WebAssembly.Memory`, which Node's types lack. */
interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The engine grows its memory only through this function; a refusal is an image error. */
function boundMemory(): void {
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: Memory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > maxMemoryBytes) throw new RangeError('the image needs too much memory');
    const before = grow.call(this, pages);
    grownBytes = (before + pages) * pageBytes;
    return before;
  };
}

let grownBytes = 0;

/** Memory that the engine has allocated so far. */
export const engineBytes = (): number => grownBytes;

const fonts = { regular: '400Regular', italic: '400Regular_Italic', bold: '700Bold', boldItalic: '700Bold_Italic' };
const added = new Set<string>();

/** Name of the font that best matches a font name or path. */
export async function fontFor(wanted: string): Promise<string> {
  const isBold = /bold|black|heavy/i.test(wanted);
  const isItalic = /italic|oblique/i.test(wanted);
  const face = isBold ? (isItalic ? fonts.boldItalic : fonts.bold) : isItalic ? fonts.italic : fonts.regular;
  if (!added.has(face)) {
    const path = resolve(`@expo-google-fonts/noto-sans/${face}/NotoSans_${face}.ttf`);
    Magick.addFont(face, new Uint8Array(await readFile(path)));
    added.add(face);
  }
  return face;
}
