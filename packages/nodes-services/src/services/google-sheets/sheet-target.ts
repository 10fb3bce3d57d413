import { isJsonObject, type JsonValue, TimeSlice } from '@sluice/node-sdk';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem, ServiceNode } from '../../shared/service-item.ts';
import { type SheetProperties, sheetsOf } from './google-sheets-client.ts';

/** Matches browser URLs of a document and a sheet. */
export const documentUrl = /\/spreadsheets\/d\/([\w-]+)/;
export const sheetUrl = /[#?&]gid=(\d+)/;

export interface SheetTarget extends SheetProperties {
  documentId: string;
}

export const documentOf = (item: ServiceNode): string => item.id('documentId', documentUrl);

/** Finds the sheets that items select; a document's sheets are read once. */
export class SheetFinder {
  readonly #sheets = new Map<string, Promise<SheetProperties[]>>();

  async find(item: ServiceNode): Promise<SheetTarget> {
    const documentId = documentOf(item);
    const sheetsOfDocument = this.#sheets.get(documentId) ?? sheetsOf(item, documentId);
    this.#sheets.set(documentId, sheetsOfDocument);
    const sheets = await sheetsOfDocument;
    const { name, id } = sheetReference(item);
    const sheet = sheets.find(({ title, sheetId }) => (name === undefined ? asText(sheetId) === id : title === name));
    if (sheet) return { documentId, ...sheet };
    const titles = sheets.slice(0, 10).map(({ title }) => `"${title}"`);
    throw item.error(
      `the document has no sheet ${name === undefined ? `with the ID ${id}` : `"${name}"`}`,
      `Its sheets are ${titles.join(', ')}`,
    );
  }
}

/** Lists contain IDs, such as `gid=0`; text in that form is an ID, too. */
function sheetReference(item: ServiceNode): { name?: string; id?: string } {
  const text = item.id('sheetName', sheetUrl);
  const isLocator = isJsonObject(item.context.parameter<JsonValue>('sheetName', item.index) ?? null);
  const [, id] = /^(?:gid=)?(\d+)$/.exec(text) ?? [];
  const isName = isLocator ? item.mode('sheetName') === 'name' || id === undefined : id === undefined;
  return isName ? { name: text } : { id: id ?? text };
}

/** Items that write to one sheet, in order. */
export interface TargetGroup {
  target: SheetTarget;
  members: { item: ServiceItem; index: number }[];
}

export async function groupByTarget(items: readonly ServiceItem[]): Promise<TargetGroup[]> {
  const finder = new SheetFinder();
  const groups = new Map<string, TargetGroup>();
  const slice = new TimeSlice();
  for (const [index, item] of items.entries()) {
    if (slice.isOver) await slice.next();
    const target = await finder.find(item);
    const key = JSON.stringify([target.documentId, target.sheetId]);
    const group = groups.get(key) ?? { target, members: [] };
    group.members.push({ item, index });
    groups.set(key, group);
  }
  return [...groups.values()];
}
