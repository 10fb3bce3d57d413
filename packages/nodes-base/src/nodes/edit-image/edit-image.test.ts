import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { BinaryReference, Item, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { editImage } from './edit-image.ts';
import { example } from './example.ts';
import { formatOf, imageFormats } from './image-formats.ts';

/** A PNG chunk; the engine does not verify checksums of chunks that it does not need. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

function crc(bytes: Buffer): number {
  let sum = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xed_b8_83_20 : sum >>> 1;
  }
  return (sum ^ 0xff_ff_ff_ff) >>> 0;
}

/** A PNG whose pixels are RGB, row by row. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

const filled = (width: number, height: number, color: readonly number[]) =>
  png(width, height, Buffer.concat(Array(height).fill(Buffer.from([0, ...Array(width).fill(color).flat()]))));
const red = filled(40, 20, [255, 0, 0]);
const blue = filled(10, 10, [0, 0, 255]);

interface Result {
  json: JsonObject;
  file: BinaryReference | undefined;
  bytes: Buffer;
}

async function run(parameters: JsonObject, files: Record<string, Buffer> = { data: red }, more: FakeRun = {}): Promise<Result> {
  const binary = memoryBinary();
  const references: Record<string, BinaryReference> = {};
  for (const [name, bytes] of Object.entries(files)) references[name] = await binary.store(bytes, { fileName: `${name}.png` });
  const run = { ...more, binary, inputs: [[{ json: { id: 1 }, binary: references }]], parameters };
  const [[item] = []] = (await runNode(editImage, run)) as Item[][];
  const file = item?.binary?.['data'];
  return { json: item?.json ?? {}, file, bytes: file ? Buffer.from(await binary.read(file)) : Buffer.alloc(0) };
}

/** A result's pixels as hex colors, by position; read from an uncompressed BMP. */
async function pixels(parameters: JsonObject, places: readonly [number, number][], files?: Record<string, Buffer>) {
  const { bytes } = await run({ ...parameters, options: { format: 'bmp' } }, files);
  const [start, width, height, bits] = [
    bytes.readUInt32LE(10),
    bytes.readInt32LE(18),
    bytes.readInt32LE(22),
    bytes.readUInt16LE(28),
  ];
  expect(bits).toBe(24);
  const stride = Math.ceil((width * 3) / 4) * 4;
  return places.map(([x, y]) => {
    const at = start + (height - 1 - y) * stride + x * 3;
    return Buffer.from([bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0]).toString('hex');
  });
}

const sizeOf = async (parameters: JsonObject, files?: Record<string, Buffer>) => {
  const { bytes } = await run(parameters, files);
  const { json } = await run({ operation: 'information' }, { data: bytes });
  const { width, height } = json['size'] as { width: number; height: number };
  return `${width}x${height}`;
};

test('the example', async () => {
  const { file, bytes } = await run(example.parameters as JsonObject, {});
  expect(file).toMatchObject({ fileName: 'title.png', mimeType: 'image/png' });
  expect([formatOf(bytes), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['png', 200, 100]);
});

test('the information includes the size and format; the item’s fields are kept', async () => {
  const { json, bytes } = await run({ operation: 'information' });
  expect(json).toMatchObject({
    id: 1,
    format: 'png',
    size: { width: 40, height: 20 },
    Geometry: '40x20',
    hasAlpha: false,
    depth: 8,
  });
  expect(bytes).toEqual(red);
});

test.each(imageFormats)('writes and reads %s', async (format) => {
  const { file, bytes } = await run({ operation: 'blur', options: { format } });
  expect(file).toMatchObject({ fileName: `data.${format}`, mimeType: `image/${format}` });
  expect(formatOf(bytes)).toBe(format);
  expect((await run({ operation: 'information' }, { data: bytes })).json).toMatchObject({
    format,
    size: { width: 40, height: 20 },
  });
});

test('format and name are unchanged without options', async () => {
  const { file, bytes } = await run({ operation: 'border' });
  expect([file?.fileName, formatOf(bytes)]).toEqual(['data.png', 'png']);
});

test.each<[JsonObject, string]>([
  [{ operation: 'resize', width: 20, height: 20 }, '20x10'],
  [{ operation: 'resize', width: '20', height: 20, resizeOption: 'ignoreAspectRatio' }, '20x20'],
  [{ operation: 'resize', width: 20, height: 20, resizeOption: 'minimumArea' }, '40x20'],
  [{ operation: 'resize', width: 80, height: 80, resizeOption: 'onlyIfLarger' }, '40x20'],
  [{ operation: 'resize', width: 80, height: 80, resizeOption: 'onlyIfSmaller' }, '80x40'],
  [{ operation: 'resize', width: 50, height: 200, resizeOption: 'percent' }, '20x40'],
  [{ operation: 'border' }, '60x40'],
  [{ operation: 'border', borderWidth: 1, borderHeight: 2 }, '42x24'],
  [{ operation: 'crop', width: 10, height: 5, positionX: 3, positionY: 2 }, '10x5'],
  [{ operation: 'rotate', rotate: 90 }, '20x40'],
  [{ operation: 'create', width: 7, height: 9 }, '7x9'],
])('%j yields an image of %s', async (parameters, size) => {
  expect(await sizeOf(parameters)).toBe(size);
});

test('shear widens the image', async () => {
  const [width = 0, height] = (await sizeOf({ operation: 'shear', degreesX: 45 })).split('x').map(Number);
  expect(width).toBeGreaterThanOrEqual(60);
  expect(height).toBeGreaterThanOrEqual(20);
});

describe('pixels', () => {
  test.each<[JsonObject, [number, number][], string[]]>([
    [
      { operation: 'border', borderColor: '#00ff00' },
      [
        [0, 0],
        [30, 20],
      ],
      ['00ff00', 'ff0000'],
    ],
    [
      { operation: 'composite', dataPropertyNameComposite: 'logo', positionX: 5, positionY: 5 },
      [
        [4, 4],
        [5, 5],
        [14, 14],
        [15, 15],
      ],
      ['ff0000', '0000ff', '0000ff', 'ff0000'],
    ],
    [{ operation: 'create', backgroundColor: '#00f' }, [[0, 0]], ['0000ff']],
    [{ operation: 'create', backgroundColor: '#00ff0000' }, [[0, 0]], ['00ff00']],
    [{ operation: 'create', backgroundColor: '#00ff00ff' }, [[0, 0]], ['ffffff']],
    [{ operation: 'transparent', color: 'red' }, [[0, 0]], ['ffffff']],
    [
      { operation: 'draw', color: 'lime', startPositionX: 2, startPositionY: 2, endPositionX: 6, endPositionY: 6 },
      [
        [1, 1],
        [4, 4],
        [8, 8],
      ],
      ['ff0000', '00ff00', 'ff0000'],
    ],
    [
      {
        operation: 'draw',
        primitive: 'circle',
        color: 'lime',
        startPositionX: 20,
        startPositionY: 10,
        endPositionX: 25,
        endPositionY: 10,
      },
      [
        [20, 10],
        [23, 10],
        [27, 10],
        [25, 15],
      ],
      ['00ff00', '00ff00', 'ff0000', 'ff0000'],
    ],
    [
      {
        operation: 'draw',
        primitive: 'line',
        color: 'lime',
        startPositionX: 0,
        startPositionY: 5,
        endPositionX: 39,
        endPositionY: 5,
      },
      [
        [10, 5],
        [10, 9],
      ],
      ['00ff00', 'ff0000'],
    ],
  ])('%j', async (parameters, places, colors) => {
    expect(await pixels(parameters, places, { data: red, logo: blue })).toEqual(colors);
  });

  test('several steps are applied in order', async () => {
    const operations = [
      { operation: 'create', width: 30, height: 30, backgroundColor: 'white' },
      { operation: 'composite', dataPropertyNameComposite: 'logo' },
      { operation: 'composite', dataPropertyNameComposite: 'data', positionX: 10, positionY: 10 },
    ];
    const parameters = { operation: 'multiStep', operations: { operations } };
    expect(
      await pixels(
        parameters,
        [
          [0, 0],
          [15, 15],
          [5, 25],
        ],
        { data: red, logo: blue },
      ),
    ).toEqual(['0000ff', 'ff0000', 'ffffff']);
  });
});

describe('a string', () => {
  const white = filled(200, 60, [255, 255, 255]);
  const write = async (text: string, more: JsonObject = {}) =>
    (
      await run(
        {
          operation: 'text',
          text,
          positionX: 5,
          positionY: 25,
          ...more,
          options: { format: 'bmp', ...(more['options'] as JsonObject) },
        },
        { data: white },
      )
    ).bytes;

  test('is written in its color', async () => {
    const bytes = await write('MMMM', { fontSize: 30, fontColor: '#0000ff' });
    expect(bytes.includes(Buffer.from([255, 0, 0, 255, 0, 0, 255, 0, 0]))).toBe(true);
  });

  test('is written literally: the engine’s escapes are text', async () => {
    const [plain, size, file] = [await write('100'), await write('%w'), await write('@/etc/passwd')];
    expect(size.equals(await write('200'))).toBe(false);
    expect(plain.equals(await write(''))).toBe(false);
    expect(file.equals(await write(''))).toBe(false);
    expect((await write('a%')).equals(await write('a%%'))).toBe(false);
  });

  test('breaks at the line length', async () => {
    expect((await write('aa bb', { lineLength: 3 })).equals(await write('aa\nbb'))).toBe(true);
    expect((await write('aa bb')).equals(await write('aa\nbb'))).toBe(false);
  });

  test('is bold or italic if the font’s name says so, regardless of the font’s path', async () => {
    const font = (name: string) => write('Hello', { options: { font: name } });
    const [regular, bold, italic] = [
      await font('/usr/share/fonts/Arial.ttf'),
      await font('Arial-Bold'),
      await font('x/Oblique.ttf'),
    ];
    expect(regular.equals(await write('Hello'))).toBe(true);
    expect([regular.equals(bold), regular.equals(italic), bold.equals(italic)]).toEqual([false, false, false]);
  });
});

describe('an image that is refused', () => {
  const large = (width: number, height: number) => png(width, height, Buffer.alloc(100));

  test.each<[string, Buffer, RegExp]>([
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not an image of type BMP/],
    [
      'a script of the engine',
      Buffer.from('push graphic-context\nimage over 0,0 0,0 "/etc/passwd"'),
      /not an image of type BMP/,
    ],
    ['an empty file', Buffer.alloc(0), /not an image of type BMP/],
    ['a broken file', red.subarray(0, 40), /the image cannot be edited/],
    ['many pixels', large(16_000, 16_000), /16000 × 16000 pixels is too large/],
    ['a long side', large(100_000, 10), /too large|exceeds limit/],
  ])('%s', async (_, data, message) => {
    await expect(run({ operation: 'resize' }, { data })).rejects.toMatchObject({ message, itemIndex: 0 });
  });

  test.each<[JsonObject, string]>([
    [{ operation: 'resize', width: 0 }, 'the parameter "width" is not a number from 1 to 16384'],
    [{ operation: 'resize', width: 'wide' }, 'the parameter "width" is not a number from 1 to 16384'],
    [
      { operation: 'resize', width: 16_000, height: 16_000, resizeOption: 'ignoreAspectRatio' },
      'it needs more memory than an image may take',
    ],
    [{ operation: 'border', borderColor: 'url(x)' }, 'the parameter "borderColor" is not a color'],
    [{ operation: 'border', borderColor: 'nocolor' }, 'the image cannot be edited'],
    [{ operation: 'composite' }, 'the parameter "dataPropertyNameComposite" is required'],
    [{ operation: 'composite', dataPropertyNameComposite: 'logo' }, 'item 0 has no file in "logo"'],
    [{ operation: 'multiStep' }, 'the list of operations is empty'],
    [{ operation: 'multiStep', operations: { operations: Array(101).fill({}) } }, 'more than 100 operations'],
    [{ operation: 'text', text: 'x'.repeat(10_001) }, 'more than 10000 characters'],
  ])('%j: %s', async (parameters, message) => {
    await expect(run(parameters)).rejects.toThrow(message);
  });

  test('an image that would need more memory than the limit is an error; the next image is edited', async () => {
    const operations = Array.from({ length: 4 }, () => ({ operation: 'border', borderWidth: 3_000, borderHeight: 3_000 }));
    const failed = run({ operation: 'multiStep', operations: { operations } });
    await expect(failed).rejects.toThrow('the image cannot be edited');
    expect(await sizeOf({ operation: 'border' })).toBe('60x40');
  });
});

test('a failed item does not affect the others', async () => {
  const binary = memoryBinary();
  const data = await binary.store(red, { fileName: 'a.png' });
  const inputs = [[{ json: {} }, { json: { id: 2 }, binary: { data } }]];
  const [items = []] = await runNode(editImage, { binary, inputs, parameters: { operation: 'border' }, continueOnFail: true });
  expect(items?.map(({ json }) => json)).toEqual([{ error: 'item 0 has no file in "data"' }, { id: 2 }]);
});
