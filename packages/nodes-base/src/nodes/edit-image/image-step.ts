import type { ImageFormat } from './image-formats.ts';

/** An operation on an image, with its parameters, under their names in the workflow format. */
export type ImageStep =
  | { operation: 'blur'; blur: number; sigma: number }
  | { operation: 'border'; borderWidth: number; borderHeight: number; borderColor: string }
  /** `overlay`: file index of the other image. */
  | { operation: 'composite'; overlay: number; operator: string; positionX: number; positionY: number }
  | { operation: 'create'; width: number; height: number; backgroundColor: string }
  | { operation: 'crop'; width: number; height: number; positionX: number; positionY: number }
  | DrawStep
  | { operation: 'resize'; width: number; height: number; resizeOption: string }
  | { operation: 'rotate'; rotate: number; backgroundColor: string }
  | { operation: 'shear'; degreesX: number; degreesY: number }
  | TextStep
  | { operation: 'transparent'; color: string };

export interface DrawStep {
  operation: 'draw';
  primitive: string;
  color: string;
  startPositionX: number;
  startPositionY: number;
  endPositionX: number;
  endPositionY: number;
  cornerRadius: number;
}

export interface TextStep {
  operation: 'text';
  /** In lines. */
  text: string;
  font: string;
  fontSize: number;
  fontColor: string;
  positionX: number;
  positionY: number;
}

/** Thread input. Colors are `#rrggbbaa`, or names. */
export interface ImageJob {
  /**
   * The image, unless the first step creates it, followed by the images that steps overlay on it.
   */
  files: readonly Uint8Array[];
  /** Without steps: information about the image. */
  steps: readonly ImageStep[];
  /** Format of the new image; default: the first file's format. */
  format?: ImageFormat;
  /** 1 to 100. */
  quality?: number;
}

/**
 * The parts of the result: information, or a description of the new image followed by its bytes.
 */
export interface ImageInformation {
  /** The engine's memory, which does not shrink. */
  engineBytes: number;
  format: string;
  width: number;
  height: number;
  depth: number;
  colorSpace: string;
  hasAlpha: boolean;
  quality: number;
  orientation: string;
}

/** Maximum number of pixels in an image, and on each side. */
export const maxPixels = 40_000_000;
export const maxSide = 16_384;
