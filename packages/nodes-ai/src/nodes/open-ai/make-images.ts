import { type ExecuteContext, type Item, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import {
  binaryOf,
  booleanParameter,
  type FormPart,
  listParameter,
  requiredText,
  stringOf,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callOpenAi } from './call-open-ai.ts';
import { imageItems } from './image-results.ts';

/** The model is in `model`, and since version 2.1 in `modelId`. */
function imageModel(context: ExecuteContext, itemIndex: number, fallback: string): string {
  const written = context.parameter('modelId', itemIndex) ?? undefined;
  return modelIdOf(context, itemIndex, written === undefined ? 'model' : 'modelId', fallback);
}

/** Only these models return URLs; others always return the images. */
const returnsUrls = (model: string) => model.startsWith('dall-e');

/** https://platform.openai.com/docs/api-reference/images/create */
export async function generateImages(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const model = imageModel(context, itemIndex, 'dall-e-3');
  const asUrls = booleanParameter(context, 'options.returnImageUrls', itemIndex, false);
  const options = optionValues(context, itemIndex, {
    n: 'n',
    size: 'size',
    style: 'style',
    quality: 'quality',
    background: 'background',
    output_format: 'outputFormat',
    moderation: 'moderation',
  });
  const dalle = optionValues(context, itemIndex, { quality: 'dalleQuality' });
  const json: JsonObject = {
    model,
    prompt: requiredText(context, 'prompt', itemIndex),
    ...options,
    ...dalle,
    ...(returnsUrls(model) && { response_format: asUrls ? 'url' : 'b64_json' }),
  };
  const answer = await callOpenAi(context, itemIndex, '/images/generations', { model, json });
  return imageItems(context, itemIndex, answer, typeOf(options['output_format']));
}

/** https://platform.openai.com/docs/api-reference/images/createEdit */
export async function editImages(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const model = imageModel(context, itemIndex, 'gpt-image-1');
  const options = optionValues(context, itemIndex, {
    n: 'n',
    size: 'size',
    quality: 'quality',
    background: 'background',
    input_fidelity: 'inputFidelity',
    output_format: 'outputFormat',
    output_compression: 'outputCompression',
    user: 'user',
  });
  const mask = textParameter(context, 'options.imageMask', itemIndex);
  const asUrls = textParameter(context, 'responseFormat', itemIndex) === 'url';
  const fields: JsonObject = {
    model,
    prompt: requiredText(context, 'prompt', itemIndex),
    ...options,
    ...(returnsUrls(model) && { response_format: asUrls ? 'url' : 'b64_json' }),
  };
  const form: FormPart[] = [
    ...Object.entries(fields).map(([name, value]) => ({ name, value: stringOf(value) })),
    ...imagesToEdit(context, itemIndex, returnsUrls(model) ? 'image' : 'image[]'),
    ...(mask === '' ? [] : [{ name: 'mask', file: binaryOf(context, itemIndex, mask) }]),
  ];
  const answer = await callOpenAi(context, itemIndex, '/images/edits', { model, form });
  return imageItems(context, itemIndex, answer, typeOf(options['output_format']));
}

function imagesToEdit(context: ExecuteContext, itemIndex: number, name: string): FormPart[] {
  const listed = listParameter(context, 'images.values', itemIndex).map(({ binaryPropertyName }) => binaryPropertyName);
  const names = listed.length > 0 ? listed : [textParameter(context, 'binaryPropertyName', itemIndex, 'data')];
  return names.map((property) => {
    if (typeof property !== 'string' || property === '')
      throw new NodeOperationError('an image has no name', { itemIndex, description: 'Fill in "Input Data Field Name"' });
    return { name, file: binaryOf(context, itemIndex, property) };
  });
}

const typeOf = (format: unknown) => (typeof format === 'string' ? `image/${format}` : 'image/png');
