import type { NodeProperty } from '@sluice/node-sdk';
import { between, choice, choices, list, number, options, text, where } from '../../shared/properties.ts';
import { maxSide } from './image-step.ts';

const colorText = 'such as `#ff0000` or `red`. In eight digits the last two are the opacity: `00` is opaque';
const color = (name: string, displayName: string, fallback: string) =>
  text(name, displayName, `Color, ${colorText}`, { default: fallback });
const position = (name: string, displayName: string, fallback: number, description: string) =>
  number(name, displayName, fallback, description);
const side = (name: string, displayName: string, fallback: number) =>
  between(1, maxSide, number(name, displayName, fallback, 'In pixels'));

export const resizeOptions = choices(
  ['ignoreAspectRatio', 'Ignore Aspect Ratio', 'Exactly the width and height'],
  ['maximumArea', 'Maximum Area', 'Within the width and height, with the same proportions'],
  ['minimumArea', 'Minimum Area', 'At least the width and height, with the same proportions'],
  ['onlyIfLarger', 'Only if Larger', 'Within the width and height if it is larger'],
  ['onlyIfSmaller', 'Only if Smaller', 'Up to the width and height if it is smaller'],
  ['percent', 'Percent', 'Width and height are percentages'],
);

export const primitives = choices(['circle', 'Circle'], ['line', 'Line'], ['rectangle', 'Rectangle']);

/** Value → ImageMagick operator and title. */
export const operators: ReadonlyMap<string, readonly [operator: string, name: string]> = new Map([
  ['Add', ['ModulusAdd', 'Add']],
  ['Atop', ['Atop', 'Atop']],
  ['Bumpmap', ['Bumpmap', 'Bumpmap']],
  ['Copy', ['Copy', 'Copy']],
  ['CopyBlack', ['CopyBlack', 'Copy Black']],
  ['CopyBlue', ['CopyBlue', 'Copy Blue']],
  ['CopyCyan', ['CopyCyan', 'Copy Cyan']],
  ['CopyGreen', ['CopyGreen', 'Copy Green']],
  ['CopyMagenta', ['CopyMagenta', 'Copy Magenta']],
  ['CopyOpacity', ['CopyAlpha', 'Copy Opacity']],
  ['CopyRed', ['CopyRed', 'Copy Red']],
  ['CopyYellow', ['CopyYellow', 'Copy Yellow']],
  ['Difference', ['Difference', 'Difference']],
  ['Divide', ['DivideSrc', 'Divide']],
  ['In', ['In', 'In']],
  ['Minus', ['MinusSrc', 'Minus']],
  ['Multiply', ['Multiply', 'Multiply']],
  ['Out', ['Out', 'Out']],
  ['Over', ['Over', 'Over']],
  ['Plus', ['Plus', 'Plus']],
  ['Subtract', ['ModulusSubtract', 'Subtract']],
  ['Xor', ['Xor', 'Xor']],
]);

/** Parameters of each operation that changes an image. */
const byOperation: Readonly<Record<string, readonly NodeProperty[]>> = {
  blur: [
    between(0, 1_000, number('blur', 'Blur', 5, 'How strong the blur is')),
    between(0, 1_000, number('sigma', 'Sigma', 2, 'Deviation of the blur')),
  ],
  border: [
    between(0, maxSide, number('borderWidth', 'Border Width', 10, 'Width of the border on the left and right')),
    between(0, maxSide, number('borderHeight', 'Border Height', 10, 'Height of the border above and below')),
    color('borderColor', 'Border Color', '#000000'),
  ],
  composite: [
    text('dataPropertyNameComposite', 'Composite Image Property', 'Property of the item with the image to overlay'),
    choice(
      'operator',
      'Operator',
      [...operators].map(([value, [, name]]) => ({ value, name })),
      { default: 'Over', description: 'How the images are combined' },
    ),
    position('positionX', 'Position X', 0, 'Left edge of the overlaid image'),
    position('positionY', 'Position Y', 0, 'Upper edge of the overlaid image'),
  ],
  create: [
    color('backgroundColor', 'Background Color', '#ffffff00'),
    side('width', 'Image Width', 50),
    side('height', 'Image Height', 50),
  ],
  crop: [
    side('width', 'Width', 500),
    side('height', 'Height', 500),
    position('positionX', 'Position X', 0, 'Left edge of the part to keep'),
    position('positionY', 'Position Y', 0, 'Upper edge of the part to keep'),
  ],
  draw: [
    choice('primitive', 'Primitive', primitives, { default: 'rectangle' }),
    color('color', 'Color', '#ff000000'),
    position('startPositionX', 'Start Position X', 50, 'Start, or the center of a circle'),
    position('startPositionY', 'Start Position Y', 50, 'Start, or the center of a circle'),
    position('endPositionX', 'End Position X', 250, 'End, or a point of a circle'),
    position('endPositionY', 'End Position Y', 50, 'End, or a point of a circle'),
    between(0, maxSide, number('cornerRadius', 'Corner Radius', 0, 'Radius of the corners of a rectangle')),
  ],
  resize: [
    side('width', 'Width', 500),
    side('height', 'Height', 500),
    choice('resizeOption', 'Option', resizeOptions, { default: 'maximumArea' }),
  ],
  rotate: [
    between(-360, 360, number('rotate', 'Rotate', 0, 'Degrees, clockwise')),
    color('backgroundColor', 'Background Color', '#ffffffff'),
  ],
  shear: [
    between(-89, 89, number('degreesX', 'Degrees X', 0, 'Degrees along the X axis')),
    between(-89, 89, number('degreesY', 'Degrees Y', 0, 'Degrees along the Y axis')),
  ],
  text: [
    text('text', 'Text', 'The text to write', { typeOptions: { rows: 5 } }),
    between(1, 2_000, number('fontSize', 'Font Size', 18, 'Size of the text')),
    color('fontColor', 'Font Color', '#000000'),
    position('positionX', 'Position X', 50, 'Left edge of the text'),
    position('positionY', 'Position Y', 50, 'Baseline of the first line'),
    between(1, 10_000, number('lineLength', 'Max Line Length', 80, 'Characters after which a line breaks')),
  ],
  transparent: [color('color', 'Color', '#ff0000')],
};

const font = text(
  'font',
  'Font',
  'Name or path of a font. Text uses Noto Sans, bold or italic if the name contains these words',
);

export const steps = choices(
  ['blur', 'Blur', 'Blurs the image'],
  ['border', 'Border', 'Adds a border'],
  ['composite', 'Composite', 'Overlays another image'],
  ['create', 'Create', 'Starts with a new image'],
  ['crop', 'Crop', 'Keeps a part of the image'],
  ['draw', 'Draw', 'Draws a circle, a line, or a rectangle'],
  ['resize', 'Resize', 'Changes the size'],
  ['rotate', 'Rotate', 'Rotates the image'],
  ['shear', 'Shear', 'Shears the image along its axes'],
  ['text', 'Text', 'Writes text'],
  ['transparent', 'Transparent', 'Makes a color transparent'],
);

const operations = [
  ...steps,
  ...choices(
    ['information', 'Get Information', 'Returns the size and format'],
    ['multiStep', 'Multi Step', 'Applies several operations'],
  ),
];

const ofStep = (inList: boolean) =>
  Object.entries(byOperation).flatMap(([operation, properties]) =>
    [...properties, ...(inList && operation === 'text' ? [font] : [])].map((property) => ({
      ...property,
      ...where({ operation: [operation] }),
    })),
  );

export const editImageProperties: readonly NodeProperty[] = [
  choice('operation', 'Operation', operations, { default: 'border' }),
  text('dataPropertyName', 'Property Name', 'Property of the item with the image, which the new image replaces', {
    default: 'data',
  }),
  list(
    'operations',
    'Operations',
    'operations',
    [choice('operation', 'Operation', steps, { default: 'resize' }), ...ofStep(true)],
    where({ operation: ['multiStep'] }),
  ),
  ...ofStep(false),
  options(
    [
      text('fileName', 'File Name', 'Name of the new file'),
      choice(
        'format',
        'Format',
        choices(['bmp', 'BMP'], ['gif', 'GIF'], ['jpeg', 'JPEG'], ['png', 'PNG'], ['tiff', 'TIFF'], ['webp', 'WebP']),
        { default: 'jpeg', description: 'Format of the new image; default: unchanged' },
      ),
      font,
      between(1, 100, number('quality', 'Quality', 100, 'Quality of JPEG, PNG, TIFF, and WebP')),
    ],
    { displayOptions: { hide: { operation: ['information'] } } },
  ),
];
