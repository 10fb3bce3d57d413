import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { asText, locatedValue, objectOf, objectsOf } from '../../shared/json-values.ts';
import { textParts } from '../../shared/text-parts.ts';

/** https://developers.notion.com/reference/request-limits */
const maxContent = 2_000;

/** Text as rich text objects, each within Notion's length limit. */
export function plainRichText(content: string, more: JsonObject = {}, link?: string): JsonObject[] {
  return textParts(content, maxContent).map((part) => {
    const text = { content: part, ...(link && { link: { url: link } }) };
    return { type: 'text', text, ...more };
  });
}

/** An entry's rich text: formatted text if `richText` is true, otherwise `textContent`. */
export function richTextOf(entry: JsonObject): JsonObject[] {
  if (entry['richText'] !== true) return plainRichText(asText(entry['textContent']));
  return objectsOf(objectOf(entry['text'])['text']).flatMap(formatted);
}

/** One entry of formatted text: `{ textType, text, mentionType, annotationUi, … }`. */
function formatted(entry: JsonObject): JsonObject[] {
  const { textType = 'text', annotationUi } = entry;
  const more: JsonObject =
    isJsonObject(annotationUi) && Object.keys(annotationUi).length > 0 ? { annotations: annotationUi } : {};
  if (textType === 'equation') return [{ type: 'equation', equation: { expression: asText(entry['expression']) }, ...more }];
  if (textType === 'mention') return [{ type: 'mention', mention: mentionOf(entry), ...more }];
  const link = entry['isLink'] === true ? asText(entry['textLink']) : '';
  return plainRichText(asText(entry['text']), more, link);
}

function mentionOf(entry: JsonObject): JsonObject {
  const { mentionType = '' } = entry;
  if (mentionType === 'date') {
    const isRange = entry['range'] === true;
    const start = asText(isRange ? entry['dateStart'] : entry['date']);
    return { type: 'date', date: { start, ...(isRange && { end: asText(entry['dateEnd']) }) } };
  }
  const kind = mentionType === 'user' || mentionType === 'page' ? mentionType : 'database';
  return { type: kind, [kind]: { id: idText(entry[kind]) } };
}

function idText(value: JsonValue | undefined): string {
  return asText(locatedValue(value));
}
