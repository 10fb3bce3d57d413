import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, type FormPart, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://docs.mistral.ai/api/ */
const client = new ApiClient({
  service: 'Mistral AI',
  credentialType: 'mistralCloudApi',
  baseUrl: 'https://api.mistral.ai/v1',
  refusalOf({ body }) {
    const { message, detail } = objectOf(body);
    return { text: textOf(message) || (detail === undefined ? '' : JSON.stringify(detail).slice(0, 500)) };
  },
});

const ofUrl = where({ inputType: ['url'] });
const ocrModel = 'mistral-ocr-latest';

const document: Resource = {
  displayName: 'Document',
  operations: {
    extractText: {
      displayName: 'Extract Text',
      description: 'Reads the text of a PDF or an image as Markdown, page by page',
      properties: [
        text('model', 'Model', 'A model for OCR', { default: ocrModel }),
        choice(
          'documentType',
          'Document Type',
          choices(['document_url', 'Document', 'PDF, DOCX, or PPTX'], ['image_url', 'Image']),
        ),
        choice('inputType', 'Input Type', choices(['binary', 'Binary Data'], ['url', 'URL'])),
        text('binaryProperty', 'Input Binary Field', 'Property of the item with the file', {
          default: 'data',
          ...where({ inputType: ['binary'] }),
        }),
        text('url', 'URL', 'Address of the document or image', { required: true, ...ofUrl }),
        options([
          toggle('deleteFiles', 'Delete Files', 'Whether to delete the uploaded file at Mistral after it was read', {
            default: true,
          }),
        ]),
      ],
      run: extract,
    },
  },
};

/** A long document takes minutes. */
const ocrTimeoutMs = 10 * 60_000;

async function extract(item: ServiceItem): Promise<JsonValue> {
  if (item.text('inputType', 'binary') === 'url') return read(item, item.required('url'));
  const isTemporary = item.toggle('options.deleteFiles', true);
  const path = `/files/${await upload(item)}`;
  const remove = () => item.send({ method: 'DELETE', path, accepts: [404] });
  try {
    const { url } = objectOf(await item.send({ path: `${path}/url`, query: { expiry: 1 } }));
    const pages = await read(item, textOf(url));
    if (isTemporary) await remove();
    return pages;
  } catch (error) {
    // An error of the cleanup would hide the cause.
    if (isTemporary) await remove().catch(() => undefined);
    throw error;
  }
}

/** Uploads the item's file; resolves to its ID. */
async function upload(item: ServiceItem): Promise<string> {
  const file = item.file(item.text('binaryProperty', 'data'));
  const list: FormPart[] = [
    { name: 'purpose', value: 'ocr' },
    { name: 'file', file },
  ];
  const stored = await item.send({ path: '/files', parts: { from: item.context.binary, list } });
  return encodeURIComponent(textOf(objectOf(stored)['id']));
}

async function read(item: ServiceItem, url: string): Promise<JsonValue> {
  const type = item.text('documentType', 'document_url');
  const model = item.text('model', ocrModel);
  const json: JsonObject = { model, document: { type, [type]: url } };
  const pages = await item.send({ path: '/ocr', json, timeoutMs: ocrTimeoutMs });
  return isJsonObject(pages) ? pages : {};
}

/** Reads documents with Mistral's OCR. */
export const mistralAi = defineService({
  displayName: 'Mistral AI',
  name: 'mistral-ai',
  version: 1,
  description: 'Reads the text of documents and images with Mistral AI',
  credentials: [{ name: 'mistralCloudApi', required: true }],
  icon: 'fa:file-alt',
  iconColor: 'orange',
  group: ['transform'],
  client,
  resources: { document },
});
