import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, pages, pathOf } from './notion-client.ts';
import { plainRichText, richTextOf } from './rich-text.ts';
import { plainTextOf } from './simplified.ts';

/** Blocks from the parameter `blockUi`: https://developers.notion.com/reference/block */
export function blocksOf(item: ServiceItem): JsonObject[] {
  return item.entries('blockUi.blockValues').map(blockOf);
}

function blockOf(entry: JsonObject): JsonObject {
  const type = asText(entry['type']) || 'paragraph';
  return { object: 'block', type, [type]: contentOf(type, entry) };
}

function contentOf(type: string, entry: JsonObject): JsonObject {
  if (type === 'child_page') return { title: asText(entry['title']) };
  if (type === 'image') return { type: 'external', external: { url: asText(entry['url']) } };
  if (type === 'divider') return {};
  const text = { rich_text: richTextOf(entry) };
  if (type === 'code') return { ...text, language: asText(entry['language']) || 'plain text' };
  return type === 'to_do' ? { ...text, checked: entry['checked'] === true } : text;
}

/** Appends blocks, as many at a time as Notion accepts; resolves to the new blocks. */
export async function appendBlocks(item: ServiceItem, parentId: string, blocks: readonly JsonObject[]): Promise<JsonObject[]> {
  const appended: JsonObject[] = [];
  for (let start = 0; start < blocks.length; start += pageSize) {
    const children = blocks.slice(start, start + pageSize);
    const body = await item.send({ method: 'PATCH', path: pathOf('blocks', parentId, '/children'), json: { children } });
    for (const block of objectsOf(objectOf(body)['results'])) appended.push(block);
  }
  return appended;
}

/** Creates a page with its blocks; blocks that exceed the first request are appended. */
export async function createPage(item: ServiceItem, page: JsonObject): Promise<JsonObject> {
  const blocks = blocksOf(item);
  const children = blocks.slice(0, pageSize);
  const body = await item.send({ path: '/pages', json: { ...page, ...(children.length > 0 && { children }) } });
  const created = objectOf(body);
  if (blocks.length > pageSize) await appendBlocks(item, asText(created['id']), blocks.slice(pageSize));
  return created;
}

/** Maximum depth of nested blocks that is read; in practice, pages have fewer levels. */
const maxDepth = 50;

/** Blocks in a page or block; if `isDeep`, with nested blocks, each after its parent. */
export async function childBlocks(item: ServiceItem, parentId: string, isDeep: boolean, limit: number): Promise<JsonObject[]> {
  const blocks: JsonObject[] = [];
  const read = async (id: string, depth: number): Promise<void> => {
    const query = { page_size: asText(Math.min(limit, pageSize)) };
    const children = await item.list({ path: pathOf('blocks', id, '/children'), query }, pages, limit - blocks.length);
    for (const block of children) {
      if (blocks.length >= limit) return;
      blocks.push({ ...block, root_id: parentId });
      if (isDeep && hasOwnBlocks(block) && depth < maxDepth) await read(asText(block['id']), depth + 1);
    }
  };
  await read(parentId, 1);
  return blocks;
}

/** A child page's blocks belong to that page. */
function hasOwnBlocks({ has_children: has, type = '' }: JsonObject): boolean {
  return has === true && type !== 'child_page' && type !== 'child_database';
}

/** A simplified block: its text, or a substitute for it. */
export function simplifiedBlock(block: JsonObject): JsonObject {
  const { id = null, type = '', parent, has_children: hasChildren = false, archived = false, root_id: rootId = null } = block;
  const content = ownProperty(block, asText(type));
  return {
    id,
    parent_id: isJsonObject(parent) ? (ownProperty(parent, asText(parent['type'])) ?? null) : null,
    root_id: rootId,
    has_children: hasChildren,
    archived,
    type,
    ...(isJsonObject(content) && shownContent(content)),
  };
}

function shownContent(content: JsonObject): JsonObject {
  const { rich_text: text, title, url, checked, language, external, file, caption, cells } = content;
  const address = [url, external, file].map((place) => (isJsonObject(place) ? place['url'] : place)).find((one) => one);
  return {
    ...(text !== undefined && { content: plainTextOf(text) }),
    ...(title !== undefined && { content: title }),
    ...(Array.isArray(cells) && { content: cells.map(plainTextOf) as JsonValue }),
    ...(address !== undefined && { url: address }),
    ...(checked !== undefined && { checked }),
    ...(language !== undefined && { language }),
    ...(Array.isArray(caption) && caption.length > 0 && { caption: plainTextOf(caption) }),
  };
}

/** The icon from a page's options. */
export function iconOf(item: ServiceItem): JsonObject | undefined {
  const { icon = '', iconType = 'emoji' } = item.fields('options');
  if (icon === '') return undefined;
  return iconType === 'file' ? { type: 'external', external: { url: asText(icon) } } : { type: 'emoji', emoji: asText(icon) };
}

/** A title as Notion expects it. */
export const titled = (title: string): JsonObject => ({ title: { title: plainRichText(title) } });
