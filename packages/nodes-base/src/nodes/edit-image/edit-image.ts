import {
  type ExecuteContext,
  type Item,
  isAppError,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  Slots,
} from '@sluice/node-sdk';
import { baseName, filesOf, readBinary, storeBinary, withFile } from '../../shared/binary-files.ts';
import { stringOf } from '../../shared/coerced-text.ts';
import { choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { runOnThread, ThreadError, taskModule } from '../../threads/work-threads.ts';
import { editImageProperties } from './edit-image-properties.ts';
import { type ImageFormat, imageFormats } from './image-formats.ts';
import type { ImageInformation, ImageJob, ImageStep } from './image-step.ts';
import { StepReader } from './read-steps.ts';

const module = taskModule('image-task', import.meta.url);

/** One image at a time per process: it may need as much memory as everything else. */
const lane = { slots: new Slots(1), deadlineMs: 60_000 };

/** Maximum memory of an engine that is kept for the workflow's next image. */
const maxIdleBytes = 160 * 1024 * 1024;

/** Maximum size of an image file in bytes. */
const maxFileBytes = 32 * 1024 * 1024;

export const editImage: NodeType = {
  description: {
    displayName: 'Edit Image',
    name: 'edit-image',
    group: ['transform'],
    version: 1,
    description:
      'Edits BMP, GIF, JPEG, PNG, TIFF, and WebP images, creates them, and returns their size. Only the first image of an animation is read. Images have at most 40 million pixels',
    defaults: { name: 'Edit Image' },
    inputs: ['main'],
    outputs: ['main'],
    properties: editImageProperties,
    icon: 'fa:image',
    iconColor: 'purple',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (item, itemIndex) => {
      const property = textParameter(context, 'dataPropertyName', itemIndex, 'data') || 'data';
      const { operation, job } = await jobOf(context, itemIndex, property);
      const { information, bytes } = await edited(context, itemIndex, job);
      const pairedItem = { item: itemIndex };
      if (operation === 'information') return { ...item, json: { ...item.json, ...shown(information, job) }, pairedItem };
      const fileName = fileNameOf(context, itemIndex, property, information.format);
      const reference = await storeBinary(context, itemIndex, bytes, { fileName, mimeType: `image/${information.format}` });
      return { json: item.json, ...filesOf(withFile(item.binary, property, reference)), pairedItem } satisfies Item;
    }),
  ],
};

async function jobOf(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
): Promise<{ operation: string; job: ImageJob }> {
  const value = (name: string) => context.parameter<JsonValue>(name, itemIndex) ?? '';
  const operation = stringOf(value('operation') || 'border');
  const reader = new StepReader(itemIndex, textParameter(context, 'options.font', itemIndex, ''));
  const steps = stepsOf(operation, reader, value);
  const chosenFormat = textParameter(context, 'options.format', itemIndex, '');
  const format =
    chosenFormat === ''
      ? undefined
      : (choiceParameter(context, 'options.format', itemIndex, [...imageFormats], 'png') as ImageFormat);
  const quality = value('options.quality') === '' ? undefined : numberParameter(context, 'options.quality', itemIndex, 100);
  const first = steps[0]?.operation === 'create' ? [] : [property];
  const files: Uint8Array[] = first.length === 0 ? [new Uint8Array()] : [];
  for (const name of [...first, ...reader.overlays]) files.push(await readBinary(context, itemIndex, name, maxFileBytes));
  return { operation, job: { files, steps, ...(format && { format }), ...(quality !== undefined && { quality }) } };
}

function stepsOf(operation: string, reader: StepReader, value: (name: string) => JsonValue): ImageStep[] {
  if (operation === 'information') return [];
  if (operation === 'multiStep') return reader.readList(value('operations.operations'));
  const names = new Set(editImageProperties.map(({ name }) => name));
  return [reader.read({ ...Object.fromEntries([...names].map((name) => [name, value(name)])), operation })];
}

async function edited(
  context: ExecuteContext,
  itemIndex: number,
  job: ImageJob,
): Promise<{ information: ImageInformation; bytes: Uint8Array }> {
  const size = job.files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const once = ([information]: readonly unknown[]) => (information as ImageInformation).engineBytes > maxIdleBytes;
  const options = { owner: context.workflow, signal: context.signal, size, lane, once };
  try {
    const [information, bytes] = await runOnThread<ImageInformation | Uint8Array>(module, job, options);
    return { information: information as ImageInformation, bytes: (bytes as Uint8Array | undefined) ?? new Uint8Array() };
  } catch (error) {
    if (!(error instanceof ThreadError) || isAppError(error)) throw error;
    const description = 'Check that the file is an image, and that the operations fit its size';
    throw new NodeOperationError(`the image cannot be edited: ${error.message}`, { itemIndex, description, cause: error });
  }
}

function shown({ width, height, engineBytes: _, ...more }: ImageInformation, { files: [file] }: ImageJob): JsonObject {
  return { ...more, size: { width, height }, Geometry: `${width}x${height}`, fileSize: file?.byteLength ?? 0 };
}

/** The given name or the file's name, with the format's extension. */
function fileNameOf(context: ExecuteContext, itemIndex: number, property: string, format: string): string {
  const fileName = textParameter(context, 'options.fileName', itemIndex, '');
  if (fileName !== '') return fileName;
  const name = baseName(context.items()[itemIndex]?.binary?.[property]?.fileName ?? property);
  const stem = name.replace(/\.\w{1,5}$/, '');
  const isSame = name.toLowerCase().endsWith(`.${format}`) || (format === 'jpeg' && /\.jpg$/i.test(name));
  return isSame ? name : `${stem}.${format}`;
}
