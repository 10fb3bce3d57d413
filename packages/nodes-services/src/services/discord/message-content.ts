import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, type FormPart, list, text, where } from '@sluice/nodes-base/node-tools';
import type { ApiRequest } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const byFields = where({ inputMethod: ['fields'] });

/** https://discord.com/developers/docs/resources/message#embed-object */
const embeds = list('embeds', 'Embeds', 'values', [
  choice('inputMethod', 'Input Method', choices(['fields', 'Enter Fields'], ['json', 'Raw JSON'])),
  text('json', 'Value', 'JSON of the embed', where({ inputMethod: ['json'] })),
  text('description', 'Description', 'Text of the embed', byFields),
  text('author', 'Author', 'Name of the author', byFields),
  text('color', 'Color', 'Color at the side: `#ff8800`, or a number', byFields),
  text('timestamp', 'Timestamp', 'Date and time at the bottom', { type: 'dateTime', ...byFields }),
  text('title', 'Title', 'Title of the embed', byFields),
  text('url', 'URL', 'Address that the title opens', byFields),
  text('image', 'URL Image', 'Address of an image', byFields),
  text('thumbnail', 'URL Thumbnail', 'Address of a small image', byFields),
  text('video', 'URL Video', 'Address of a video; Discord shows it for its own embeds only', byFields),
]);

const files = list('files', 'Files', 'values', [
  text('inputFieldName', 'Input Data Field Name', 'Property of the item that has the file', { default: 'data' }),
]);

export const contentProperties: readonly NodeProperty[] = [
  text('content', 'Message', 'Text of the message, at most 2,000 characters'),
  embeds,
  files,
];

export const flags: NodeProperty = {
  displayName: 'Flags',
  name: 'flags',
  type: 'multiOptions',
  default: [],
  options: choices(['SUPPRESS_EMBEDS', 'Suppress Embeds'], ['SUPPRESS_NOTIFICATIONS', 'Suppress Notifications']),
  description: 'Links without previews, or a message without a notification',
};

/** https://discord.com/developers/docs/resources/message#message-object-message-flags */
const bits: ReadonlyMap<JsonValue, number> = new Map([
  ['SUPPRESS_EMBEDS', 4],
  ['SUPPRESS_NOTIFICATIONS', 4_096],
]);

/** The number that encodes a list of flags. */
export function flagBits(value: JsonValue | undefined): { flags?: number } {
  const names = [value ?? []].flat();
  return names.length === 0 ? {} : { flags: names.reduce<number>((all, name) => all | (bits.get(name) ?? 0), 0) };
}

/** A message's text and embeds, with `more`. Throws if text, embeds, and files are all empty. */
export function contentOf(item: ServiceItem, more: JsonObject): JsonObject {
  const content = item.text('content');
  const cards = item.entries('embeds.values').map((entry) => embedOf(item, entry));
  if (content === '' && cards.length === 0 && item.entries('files.values').length === 0)
    throw item.error('the message is empty', 'Write some text, or add an embed or a file');
  return { ...(content !== '' && { content }), ...(cards.length > 0 && { embeds: cards }), ...more };
}

function embedOf(item: ServiceItem, { inputMethod = 'fields', json, ...fields }: JsonObject): JsonObject {
  if (inputMethod === 'json') {
    const parsed = typeof json === 'string' ? parsedEmbed(item, json) : json;
    if (isJsonObject(parsed)) return parsed;
    throw item.error('the JSON of an embed is not an object', 'Write the embed as `{ "title": "…" }`');
  }
  const { author, color, image, thumbnail, video, ...plain } = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== null),
  );
  return {
    ...plain,
    ...(color !== undefined && { color: colorOf(item, color) }),
    ...(author !== undefined && { author: { name: author } }),
    ...(image !== undefined && { image: { url: image } }),
    ...(thumbnail !== undefined && { thumbnail: { url: thumbnail } }),
    ...(video !== undefined && { video: { url: video } }),
  };
}

const maxEmbedLength = 20_000;

function parsedEmbed(item: ServiceItem, json: string): JsonValue {
  try {
    return JSON.parse(json.slice(0, maxEmbedLength)) as JsonValue;
  } catch {
    throw item.error('an embed is not valid JSON', 'Discord allows 6,000 characters in all embeds of a message');
  }
}

function colorOf(item: ServiceItem, color: JsonValue): number {
  const number = typeof color === 'string' ? Number(color.replace(/^#/, '0x')) : color;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 0xff_ff_ff) return number;
  throw item.error('the color of an embed is not a color', 'Write it as `#ff8800`, or as a number up to 16777215');
}

/** Sends a message; with files, the message is the form part `payload_json`. */
export function messageRequest(item: ServiceItem, json: JsonObject): Pick<ApiRequest, 'json' | 'parts'> {
  const names = item.entries('files.values').map(({ inputFieldName = 'data' }) => asText(inputFieldName));
  if (names.length === 0) return { json };
  const attached = names.map((name, index): FormPart => ({ name: `files[${index}]`, file: item.file(name) }));
  const list = [{ name: 'payload_json', value: JSON.stringify(json) }, ...attached];
  return { parts: { from: item.context.binary, list } };
}
