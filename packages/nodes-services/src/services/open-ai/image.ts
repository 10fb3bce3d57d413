import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, number, options, storeBinaryByType, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { askModel, listIn, modelOf, optionsOf } from './open-ai-client.ts';

/** Only these models return URLs; others always return the images. */
const returnsUrls = (model: string) => model.startsWith('dall-e');

export const image: Resource = {
  displayName: 'Image',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Makes images',
      properties: [
        text('prompt', 'Prompt', 'What the image shows', { acceptsAnyValue: true }),
        text('model', 'Model', 'A model for images: its name', { default: 'dall-e-2', acceptsAnyValue: true }),
        text('imageModel', 'Image Model', 'As "Model", in version 1.1', { acceptsAnyValue: true }),
        choice(
          'responseFormat',
          'Response Format',
          choices(['binaryData', 'Binary File'], ['imageUrl', 'Image Url', 'DALL·E only']),
        ),
        options([
          number('n', 'Number of Images', 1, 'How many images to make'),
          text('size', 'Resolution', 'As `1024x1024`'),
          text('quality', 'Quality', 'As the model names it: `standard`, `hd`, `low`, `high`'),
          text('style', 'Style', '`vivid` or `natural`; DALL·E 3 only'),
        ]),
      ],
      run: createImages,
    },
  },
};

/** https://platform.openai.com/docs/api-reference/images/create */
async function createImages(item: ServiceItem): Promise<JsonObject[] | FileItem[]> {
  const model = modelOf(item, ['imageModel', 'model'], 'dall-e-2');
  const asUrl = item.text('responseFormat', 'binaryData') === 'imageUrl';
  const format = returnsUrls(model) && { response_format: asUrl ? 'url' : 'b64_json' };
  const json = { model, prompt: item.required('prompt'), ...optionsOf(item), ...format };
  const images = listIn(await askModel(item, '/images/generations', json), 'data');
  if (asUrl && returnsUrls(model)) return images;
  return Promise.all(images.map((entry) => fileOf(item, entry)));
}

async function fileOf(item: ServiceItem, { b64_json: content = '', ...json }: JsonObject): Promise<FileItem> {
  const bytes = Buffer.from(asText(content), 'base64');
  const file = await storeBinaryByType(item.context, item.index, bytes, { fileName: 'data.png', mimeType: 'image/png' });
  return new FileItem(json, { data: file });
}
