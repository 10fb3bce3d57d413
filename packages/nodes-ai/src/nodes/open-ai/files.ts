import { type ExecuteContext, type Item, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { binaryOf, textParameter } from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { callOpenAi } from './call-open-ai.ts';

/** Maximum number of files in the list; the API returns 10,000. */
const maxFiles = 10_000;

const item = (json: JsonObject, itemIndex: number): Item => ({ json, pairedItem: { item: itemIndex } });

/** https://platform.openai.com/docs/api-reference/files/create */
export async function uploadFile(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const form = [
    { name: 'purpose', value: textParameter(context, 'options.purpose', itemIndex, 'assistants') },
    { name: 'file', file: binaryOf(context, itemIndex, property) },
  ];
  return item(await callOpenAi(context, itemIndex, '/files', { form }), itemIndex);
}

/** https://platform.openai.com/docs/api-reference/files/list */
export async function listFiles(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const purpose = textParameter(context, 'options.purpose', itemIndex);
  const query = purpose === '' || purpose === 'any' ? '' : `?purpose=${encodeURIComponent(purpose)}`;
  const { data } = await callOpenAi(context, itemIndex, `/files${query}`, { method: 'GET' });
  const files = Array.isArray(data) ? data.slice(0, maxFiles).filter((file) => isJsonObject(file)) : [];
  return files.map((file) => item(file, itemIndex));
}

/** https://platform.openai.com/docs/api-reference/files/delete */
export async function deleteFile(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const id = encodeURIComponent(modelIdOf(context, itemIndex, 'fileId', '', 'file'));
  return item(await callOpenAi(context, itemIndex, `/files/${id}`, { method: 'DELETE' }), itemIndex);
}
