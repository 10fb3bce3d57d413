import {
  ColorSpace,
  type IMagickImage,
  MagickError,
  MagickFormat,
  MagickImage,
  MagickImageInfo,
  MagickReadSettings,
  Orientation,
} from '@imagemagick/magick-wasm';
import { applyStep, emptyImage, flatten } from './apply-step.ts';
import { formatOf, type ImageFormat } from './image-formats.ts';
import { type ImageInformation, type ImageJob, maxPixels, maxSide } from './image-step.ts';
import { engineBytes, loadMagick } from './magick.ts';

const formats: Readonly<Record<ImageFormat, MagickFormat>> = {
  bmp: MagickFormat.Bmp,
  gif: MagickFormat.Gif,
  jpeg: MagickFormat.Jpeg,
  png: MagickFormat.Png,
  tiff: MagickFormat.Tiff,
  webp: MagickFormat.WebP,
};

/**
 * A work thread's task: yields information about an image; if there are steps, about the new image,
 * followed by its bytes.
 */
export async function* task(job: ImageJob): AsyncGenerator<ImageInformation | Uint8Array> {
  await loadMagick();
  try {
    yield* edited(job);
  } catch (error) {
    if (error instanceof MagickError || error instanceof ImageError) throw new Error(wordsOf(error));
    await broken(error);
  }
}

/** Converts an engine error to a message for the author. */
class ImageError extends Error {}

async function* edited({ files, steps, format, quality }: ImageJob): AsyncGenerator<ImageInformation | Uint8Array> {
  const image = steps[0]?.operation === 'create' ? emptyImage() : imageOf(files[0]);
  try {
    for (const step of steps) {
      await applyStep(image, step, (file) => imageOf(files[file]));
      assertSize(image.width, image.height);
    }
    const target = format ?? formatOf(files[0] ?? new Uint8Array()) ?? 'png';
    if (quality !== undefined) image.quality = quality;
    if (steps.length > 0 && (target === 'jpeg' || target === 'bmp')) flatten(image);
    yield { ...informationOf(image, target), engineBytes: engineBytes() };
    if (steps.length > 0) yield image.write(formats[target], (bytes) => new Uint8Array(bytes));
  } finally {
    image.dispose();
  }
}

/** The first image in a file, once its size is known to be allowed. */
function imageOf(bytes: Uint8Array = new Uint8Array()): IMagickImage {
  const format = formatOf(bytes);
  if (format === undefined) throw new ImageError('it is not an image of type BMP, GIF, JPEG, PNG, TIFF, or WebP');
  const settings = new MagickReadSettings({ format: formats[format], frameIndex: 0, frameCount: 1 });
  const { width, height } = MagickImageInfo.create(bytes, settings);
  assertSize(width, height);
  return MagickImage.create(bytes, settings);
}

function assertSize(width: number, height: number): void {
  if (width <= maxSide && height <= maxSide && width * height <= maxPixels) return;
  throw new ImageError(
    `an image of ${width} × ${height} pixels is too large: at most ${maxSide} on each side, and ${maxPixels} in all`,
  );
}

function informationOf(image: IMagickImage, format: ImageFormat): Omit<ImageInformation, 'engineBytes'> {
  return {
    format,
    width: image.width,
    height: image.height,
    depth: image.depth,
    colorSpace: nameIn(ColorSpace, image.colorSpace),
    hasAlpha: image.hasAlpha,
    quality: image.quality,
    orientation: nameIn(Orientation, image.orientation),
  };
}

const nameIn = (names: Readonly<Record<string, number>>, value: number): string =>
  Object.entries(names).find(([, one]) => one === value)?.[0] ?? 'Undefined';

/** Engine errors end with their source location: `… @ error/png.c/…`. */
function wordsOf({ message }: Error): string {
  if (/ResourcesExhausted|memory/i.test(message)) return 'it needs more memory than an image may take';
  return message.split(' @ ', 1).join().replaceAll('`', '"').replaceAll("'", '"');
}

/** The engine has stopped. Its thread ends with an error, so that it processes no other image. */
function broken(error: unknown): Promise<never> {
  const reason = `${error}`.slice(0, 200);
  setImmediate(() => {
    throw new Error(`the image needs too much memory (${reason})`);
  });
  return new Promise(() => {});
}
