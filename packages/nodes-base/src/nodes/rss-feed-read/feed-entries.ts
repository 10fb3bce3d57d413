import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { htmlSnippet } from './html-snippet.ts';

/**
 * RSS entry elements and their output fields; of several elements with the same field, the last
 * wins.
 */
const rssFields: readonly (readonly [element: string, field: string])[] = [
  ['author', 'creator'],
  ['dc:creator', 'creator'],
  ['dc:date', 'date'],
  ['dc:language', 'language'],
  ['dc:rights', 'rights'],
  ['dc:source', 'source'],
  ['dc:title', 'title'],
  ['title', 'title'],
  ['link', 'link'],
  ['pubDate', 'pubDate'],
  ['author', 'author'],
  ['summary', 'summary'],
  ['content:encoded', 'content:encoded'],
  ['dc:creator', 'dc:creator'],
  ['dc:date', 'dc:date'],
  ['comments', 'comments'],
];

const podcastFields = ['author', 'subtitle', 'summary', 'explicit', 'duration', 'episode', 'season', 'keywords', 'episodeType'];

/**
 * An element as the parser returns it: its text, or its attributes in `$`, its text in `_`, and its
 * children, each in a list.
 */
type Element = JsonValue | undefined;

/**
 * The entries of an RSS 0.9 to 2.0, RDF, or Atom feed, as flat objects. Entities that a document
 * declares are not expanded: apart from XML's own, an entity is an error. Throws `Error`s that
 * describe the document's problem.
 */
export async function feedEntries(feed: string, customFields: readonly string[]): Promise<JsonObject[]> {
  const { parseStringPromise } = await import('xml2js');
  const document: unknown = await parseStringPromise(feed.trimStart());
  if (!isJsonObject(document)) throw new Error('it has no element with content');
  const rss = childOf(document, 'rss') ?? childOf(document, 'rdf:RDF');
  const atom = childOf(document, 'feed');
  if (!rss && !atom) throw new Error('it is neither RSS nor Atom');
  const channel = childOf(rss, 'channel');
  const entries = atom ? childrenOf(atom, 'entry') : [...childrenOf(channel, 'item'), ...childrenOf(rss, 'item')];
  return entries.map((entry) => withCustomFields(atom ? atomEntry(entry) : rssEntry(entry), entry, customFields));
}

function rssEntry(entry: Element): JsonObject {
  const json: JsonObject = {};
  for (const [element, field] of rssFields) keep(json, field, textOf(childOf(entry, element)));
  const encoded = json['content:encoded'];
  if (typeof encoded === 'string') json['content:encodedSnippet'] = htmlSnippet(encoded);
  keep(json, 'enclosure', attributesOf(childOf(entry, 'enclosure')));
  keepContent(json, 'content', childOf(entry, 'description'));
  keep(json, 'guid', textOf(childOf(entry, 'guid')));
  keep(json, 'rdf:about', attributesOf(entry)?.['rdf:about']);
  const categories = childrenOf(entry, 'category').flatMap((category) => textOf(category) ?? []);
  if (categories.length > 0) json['categories'] = categories;
  keep(json, 'itunes', podcastOf(entry));
  return withIsoDate(json);
}

function podcastOf(entry: Element): JsonObject | undefined {
  const json: JsonObject = {};
  for (const field of podcastFields) keep(json, field, textOf(childOf(entry, `itunes:${field}`)));
  keep(json, 'image', attributesOf(childOf(entry, 'itunes:image'))?.['href']);
  return Object.keys(json).length > 0 ? json : undefined;
}

function atomEntry(entry: Element): JsonObject {
  const json: JsonObject = {};
  keep(json, 'title', textOf(childOf(entry, 'title')));
  keep(json, 'link', atomLink(childrenOf(entry, 'link')));
  keep(json, 'pubDate', isoDate(textOf(childOf(entry, 'published')) ?? textOf(childOf(entry, 'updated'))));
  keep(json, 'author', textOf(childOf(childOf(entry, 'author'), 'name')));
  keepContent(json, 'content', childOf(entry, 'content'));
  keep(json, 'summary', textOf(childOf(entry, 'summary')));
  keep(json, 'id', textOf(childOf(entry, 'id')));
  return withIsoDate(json);
}

/** The entry's own page, else the first link. */
function atomLink(links: readonly Element[]): JsonValue | undefined {
  const attributes = links.map((link) => attributesOf(link) ?? {});
  const page = attributes.find(({ rel }) => rel === undefined || rel === 'alternate') ?? attributes[0];
  return page?.['href'];
}

function keepContent(json: JsonObject, field: string, element: Element): void {
  const content = textOf(element);
  if (content === undefined) return;
  json[field] = content;
  json[`${field}Snippet`] = htmlSnippet(content);
}

function withIsoDate(json: JsonObject): JsonObject {
  const date = json['pubDate'] ?? json['date'];
  keep(json, 'isoDate', isoDate(typeof date === 'string' ? date : undefined));
  return json;
}

function isoDate(text: string | undefined): string | undefined {
  const date = new Date(text?.trim() ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Adds the custom fields: as text if possible, else as the parsed element. */
function withCustomFields(json: JsonObject, entry: Element, customFields: readonly string[]): JsonObject {
  for (const field of customFields) {
    const element = childOf(entry, field);
    keep(json, field, textOf(element) ?? element);
  }
  return json;
}

function keep(json: JsonObject, field: string, value: JsonValue | undefined): void {
  if (value !== undefined && value !== '') setOwn(json, field, value);
}

function childrenOf(element: Element, name: string): readonly Element[] {
  const children = isJsonObject(element) && Object.hasOwn(element, name) ? element[name] : undefined;
  return children === undefined ? [] : [children].flat();
}

function childOf(element: Element, name: string): Element {
  return childrenOf(element, name)[0];
}

function attributesOf(element: Element): JsonObject | undefined {
  const attributes = isJsonObject(element) ? element['$'] : undefined;
  return isJsonObject(attributes) ? { ...attributes } : undefined;
}

function textOf(element: Element): string | undefined {
  if (typeof element === 'string') return element;
  const text = isJsonObject(element) ? element['_'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
