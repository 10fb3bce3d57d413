import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { CommunityItem } from '../community-types.ts';
import { ApplicationError } from '../workflow-module/errors.ts';
import { deepCopy } from '../workflow-module/json.ts';

/** `helpers` that create items. */
export const itemHelpers = { returnJsonArray, constructExecutionMetaData, normalizeItems, copyInputItems };

function returnJsonArray(data: JsonObject | readonly (JsonObject | CommunityItem)[]): CommunityItem[] {
  const list = Array.isArray(data) ? data : [data];
  return list.map((one: JsonObject | CommunityItem) =>
    isItem(one) && isJsonObject(one.json) ? { ...one, json: one.json } : { json: one as JsonObject },
  );
}

function constructExecutionMetaData(
  items: readonly CommunityItem[],
  { itemData }: { itemData: CommunityItem['pairedItem'] },
): CommunityItem[] {
  return items.map((item) => ({ ...item, pairedItem: itemData }) as CommunityItem);
}

/** Accepts items or plain objects, which become items, but not a mixture. */
function normalizeItems(data: unknown): CommunityItem[] {
  const list = (Array.isArray(data) ? data : [data]) as readonly (JsonObject | CommunityItem)[];
  const items = list.filter(isItem);
  if (items.length > 0 && items.length < list.length) throw new ApplicationError('Inconsistent item format');
  return items.length > 0 ? (list as CommunityItem[]) : list.map((json) => ({ json: json as JsonObject }));
}

/** Node output with the items at one output. */
export async function prepareOutputData(items: CommunityItem[], outputIndex = 0): Promise<CommunityItem[][]> {
  return [...Array.from({ length: outputIndex }, () => []), items];
}

function isItem(value: object): value is CommunityItem {
  return typeof value === 'object' && value !== null && ('json' in value || 'binary' in value) && !Array.isArray(value);
}

/** The named members of each item's JSON; null for a missing one. */
function copyInputItems(items: readonly CommunityItem[], properties: readonly string[]): JsonObject[] {
  return items.map(({ json }) =>
    Object.fromEntries(properties.map((name) => [name, (deepCopy(json[name]) as JsonValue | undefined) ?? null])),
  );
}
