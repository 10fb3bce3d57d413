import { type JsonObject, type JsonValue, TimeSlice } from '@sluice/node-sdk';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';

/** A document's text: paragraphs, tables, and tables of contents, tab by tab. */
export async function documentText(document: JsonObject): Promise<string> {
  const parts: string[] = [];
  const slice = new TimeSlice();
  /** Elements still to read, last first: documents may be nested deeply. */
  const pending: JsonValue[] = tabsOf(document).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (slice.isOver) await slice.next();
    const { textRun, ...element } = objectOf(next);
    if (textRun !== undefined) parts.push(textOf(objectOf(textRun)['content']));
    else for (const child of childrenOf(element).reverse()) pending.push(child);
  }
  return parts.join('');
}

function tabsOf({ tabs, body }: JsonObject): JsonValue[] {
  return tabs === undefined ? [body ?? {}] : objectsOf(tabs);
}

/** Elements in an element, in their order. */
function childrenOf({
  documentTab,
  childTabs,
  body,
  content,
  paragraph,
  elements,
  table,
  tableRows,
  tableCells,
  tableOfContents,
}: JsonObject): JsonObject[] {
  const single = [documentTab, body, paragraph, table, tableOfContents].map(objectOf);
  const lists = [content, elements, tableRows, tableCells, childTabs].flatMap(objectsOf);
  return [...single.filter((one) => Object.keys(one).length > 0), ...lists];
}
