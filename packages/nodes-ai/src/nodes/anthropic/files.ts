import { type ExecuteContext, type Item, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { binaryOf, booleanParameter, coercedText, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { callAnthropic } from './call-anthropic.ts';

/** https://docs.claude.com/en/docs/build-with-claude/files */
const headers = { 'anthropic-beta': 'files-api-2025-04-14' };
/** Page size of the file list. */
const pageSize = 1_000;
/** Maximum number of files in a list. */
const maxFiles = 100_000;

const item = (json: JsonObject, itemIndex: number): Item => ({ json, pairedItem: { item: itemIndex } });

export async function uploadFile(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const file = binaryOf(context, itemIndex, property);
  const name = textParameter(context, 'options.fileName', itemIndex) || file.fileName || 'file';
  const form = [{ name: 'file', file: { ...file, fileName: name } }];
  return item(await callAnthropic(context, itemIndex, '/files', { form, headers }), itemIndex);
}

const pathOf = (context: ExecuteContext, itemIndex: number) =>
  `/files/${encodeURIComponent(modelIdOf(context, itemIndex, 'fileId', '', 'file'))}`;

export async function getFile(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return item(await callAnthropic(context, itemIndex, pathOf(context, itemIndex), { method: 'GET', headers }), itemIndex);
}

export async function deleteFile(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return item(await callAnthropic(context, itemIndex, pathOf(context, itemIndex), { method: 'DELETE', headers }), itemIndex);
}

export async function listFiles(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const isAll = booleanParameter(context, 'returnAll', itemIndex, false);
  const wanted = isAll ? maxFiles : Math.max(1, Math.trunc(numberParameter(context, 'limit', itemIndex, 50)));
  const files: JsonObject[] = [];
  let after = '';
  while (files.length < wanted) {
    const path = `/files?limit=${Math.min(pageSize, wanted - files.length)}${after && `&after_id=${encodeURIComponent(after)}`}`;
    const { data, has_more: hasMore } = await callAnthropic(context, itemIndex, path, { method: 'GET', headers });
    const page = Array.isArray(data) ? data.slice(0, pageSize).filter((file) => isJsonObject(file)) : [];
    files.push(...page);
    after = coercedText(page.at(-1)?.['id']);
    if (hasMore !== true || after === '') break;
  }
  return files.slice(0, wanted).map((file) => item(file, itemIndex));
}
