import {
  AlphaAction,
  CompositeOperator,
  DistortMethod,
  DistortSettings,
  DrawableFillColor,
  DrawableFont,
  DrawableFontPointSize,
  DrawableLine,
  DrawableRectangle,
  DrawableRoundRectangle,
  DrawableStrokeColor,
  DrawableText,
  type IDrawable,
  type IMagickImage,
  MagickColor,
  MagickColors,
  MagickGeometry,
  MagickImage,
  Point,
  VirtualPixelMethod,
} from '@imagemagick/magick-wasm';
import type { DrawStep, ImageStep, TextStep } from './image-step.ts';
import { fontFor } from './magick.ts';

/** Applies an operation to an image; `overlay` returns the image of another file. */
export async function applyStep(image: IMagickImage, step: ImageStep, overlay: (file: number) => IMagickImage): Promise<void> {
  switch (step.operation) {
    case 'blur':
      return image.blur(step.blur, step.sigma);
    case 'border':
      image.borderColor = new MagickColor(step.borderColor);
      return image.border(step.borderWidth, step.borderHeight);
    case 'composite':
      return compose(image, overlay(step.overlay), step);
    case 'create':
      return image.read(new MagickColor(step.backgroundColor), step.width, step.height);
    case 'crop':
      image.crop(new MagickGeometry(step.positionX, step.positionY, step.width, step.height));
      return image.resetPage();
    case 'draw':
      return image.draw(shapeOf(step));
    case 'resize':
      return image.resize(geometryOf(step));
    case 'rotate':
      image.backgroundColor = new MagickColor(step.backgroundColor);
      image.rotate(step.rotate);
      return image.resetPage();
    case 'shear':
      return shear(image, step);
    case 'text':
      return image.draw(await textOf(step));
    case 'transparent':
      return image.transparent(new MagickColor(step.color));
  }
}

function compose(image: IMagickImage, other: IMagickImage, step: ImageStep & { operation: 'composite' }): void {
  const operator = CompositeOperator[step.operator as keyof typeof CompositeOperator];
  try {
    image.composite(other, operator, new Point(step.positionX, step.positionY));
  } finally {
    other.dispose();
  }
}

function geometryOf({ width, height, resizeOption }: ImageStep & { operation: 'resize' }): MagickGeometry {
  const geometry = new MagickGeometry(width, height);
  geometry.fillArea = resizeOption === 'minimumArea';
  geometry.greater = resizeOption === 'onlyIfLarger';
  geometry.ignoreAspectRatio = resizeOption === 'ignoreAspectRatio';
  geometry.isPercentage = resizeOption === 'percent';
  geometry.less = resizeOption === 'onlyIfSmaller';
  return geometry;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The corners that shearing adds are transparent. */
function shear(image: IMagickImage, { degreesX, degreesY }: ImageStep & { operation: 'shear' }): void {
  const settings = new DistortSettings(DistortMethod.AffineProjection);
  settings.bestFit = true;
  image.alpha(AlphaAction.Set);
  image.virtualPixelMethod = VirtualPixelMethod.Transparent;
  image.distort(settings, [1, Math.tan(radians(degreesY)), Math.tan(radians(degreesX)), 1, 0, 0]);
  image.resetPage();
}

/** A circle has its center at the start, and passes through the end. */
function shapeOf(step: DrawStep): IDrawable[] {
  const { startPositionX: x1, startPositionY: y1, endPositionX: x2, endPositionY: y2, cornerRadius } = step;
  const color = new MagickColor(step.color);
  if (step.primitive === 'line') return [new DrawableStrokeColor(color), new DrawableLine(x1, y1, x2, y2)];
  const fill = new DrawableFillColor(color);
  if (step.primitive === 'circle') {
    const radius = Math.hypot(x2 - x1, y2 - y1);
    return [fill, new DrawableRoundRectangle(x1 - radius, y1 - radius, x1 + radius, y1 + radius, radius, radius)];
  }
  const [left, right, top, bottom] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
  if (cornerRadius === 0) return [fill, new DrawableRectangle(left, top, right, bottom)];
  return [fill, new DrawableRoundRectangle(left, top, right, bottom, cornerRadius, cornerRadius)];
}

/** Percent signs are escapes in the engine's strings. */
async function textOf({ text, font, fontSize, fontColor, positionX, positionY }: TextStep): Promise<IDrawable[]> {
  return [
    new DrawableFont(await fontFor(font)),
    new DrawableFontPointSize(fontSize),
    new DrawableFillColor(new MagickColor(fontColor)),
    new DrawableText(positionX, positionY, text.replaceAll('%', '%%')),
  ];
}

/** A format without transparency gets a white background. */
export function flatten(image: IMagickImage): void {
  image.backgroundColor = MagickColors.White;
  image.alpha(AlphaAction.Remove);
}

/** An image of one pixel, which a step replaces. */
export const emptyImage = (): IMagickImage => MagickImage.create(MagickColors.Transparent, 1, 1);
