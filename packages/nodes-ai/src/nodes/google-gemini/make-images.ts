import { type ExecuteContext, type Item, isJsonObject, type JsonObject, ModelError } from '@sluice/node-sdk';
import { listParameter, requiredText, stringOf, textParameter } from '@sluice/nodes-base/node-tools';
import { fileItem } from '../../shared/file-item.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callGemini, candidatesOf, geminiModel, newerImageModel, partsOf } from './call-gemini.ts';
import { filePart } from './media-parts.ts';

/** Maximum number of images in one response. */
const maxImages = 100;
const imageModel = 'models/gemini-2.5-flash-image';

/**
 * Images generated from a prompt by an Imagen or Gemini model.
 * https://ai.google.dev/gemini-api/docs/imagen
 */
export async function generateGeminiImages(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const model = geminiModel(context, itemIndex, context.typeVersion >= 1.2 ? newerImageModel : imageModel);
  const prompt = requiredText(context, 'prompt', itemIndex);
  if (!model.startsWith('models/imagen')) return drawn(context, itemIndex, model, [{ text: prompt }]);
  const parameters = optionValues(context, itemIndex, { sampleCount: 'sampleCount', aspectRatio: 'aspectRatio' });
  const { predictions } = await callGemini(context, itemIndex, model, 'predict', { instances: [{ prompt }], parameters });
  const list = Array.isArray(predictions) ? predictions.slice(0, maxImages) : [];
  const images = list.filter((one) => isJsonObject(one));
  return stored(
    context,
    itemIndex,
    images.map((one) => ({ data: one['bytesBase64Encoded'] ?? null, mimeType: one['mimeType'] ?? null })),
  );
}

/** Images edited by a prompt. https://ai.google.dev/gemini-api/docs/image-generation */
export async function editGeminiImages(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const model = geminiModel(context, itemIndex, imageModel);
  const listed = listParameter(context, 'images.values', itemIndex).map((one) => stringOf(one['binaryPropertyName'] || 'data'));
  const parts: JsonObject[] = [{ text: requiredText(context, 'prompt', itemIndex) }];
  for (const name of listed.length > 0 ? listed : ['data']) parts.push(await filePart(context, itemIndex, name));
  return drawn(context, itemIndex, model, parts);
}

async function drawn(context: ExecuteContext, itemIndex: number, model: string, parts: JsonObject[]): Promise<Item[]> {
  const aspectRatio = textParameter(context, 'options.aspectRatio', itemIndex);
  const generationConfig = {
    responseModalities: ['TEXT', 'IMAGE'],
    ...(aspectRatio !== '' && { imageConfig: { aspectRatio } }),
  };
  const contents = [{ role: 'user', parts }];
  const answer = await callGemini(context, itemIndex, model, 'generateContent', { contents, generationConfig });
  const images = candidatesOf(answer)
    .flatMap(partsOf)
    .map((part) => part['inlineData'])
    .filter((image) => isJsonObject(image));
  return stored(context, itemIndex, images);
}

async function stored(context: ExecuteContext, itemIndex: number, images: readonly JsonObject[]): Promise<Item[]> {
  const property = textParameter(context, 'options.binaryPropertyOutput', itemIndex, 'data') || 'data';
  const items: Item[] = [];
  for (const { data, mimeType } of images.slice(0, maxImages)) {
    if (typeof data !== 'string') continue;
    const type = typeof mimeType === 'string' ? mimeType : 'image/png';
    items.push(await fileItem(context, itemIndex, { property, bytes: Buffer.from(data, 'base64'), mimeType: type }));
  }
  if (items.length === 0) throw new ModelError('invalidResponse', 'the provider response has no images');
  return items;
}
