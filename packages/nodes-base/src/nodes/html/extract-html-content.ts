import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { Cheerio, CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';
import { readBinary } from '../../shared/binary-files.ts';
import { parseFieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, describeValue, listParameter, textParameter } from '../../shared/parameters.ts';
import { parseHtml } from '../../shared/parse-html.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { utf16Of } from '../../shared/text-encoding.ts';
import { type TextOf, textReader } from './html-text.ts';
import { selectorError } from './selector-error.ts';

interface Extraction {
  key: string;
  selector: string;
  what: 'text' | 'html' | 'attribute' | 'value';
  /** Whether empty text is a value; otherwise it is treated as missing. */
  keepsEmpty: boolean;
  attribute: string;
  skip: string;
  asList: boolean;
}

interface Cleaning {
  trim: boolean;
  cleanUp: boolean;
}

/**
 * Values by CSS selectors: an item for each HTML text of an input item. With `readable`, text is
 * laid out as plain text. The HTML Extract node trims by default, keeps empty text, and does not
 * clean up. A value that an element does not have is omitted, or null in a list.
 */
export async function extractHtmlContent(
  context: ExecuteContext,
  { readable, isHtmlExtract }: { readable: boolean; isHtmlExtract: boolean },
): Promise<Item[]> {
  const extracted: Item[] = [];
  for (const [itemIndex, { json }] of context.items().entries()) {
    try {
      const extractions = readExtractions(context, itemIndex, isHtmlExtract);
      const cleaning = readCleaning(context, itemIndex, isHtmlExtract);
      for (const html of await htmlTexts(context, json, itemIndex)) {
        const document = await parseHtml(html, itemIndex);
        const values = await extractAll(document, extractions, cleaning, readable, itemIndex);
        extracted.push({ json: values, pairedItem: { item: itemIndex } });
      }
    } catch (error) {
      extracted.push(failedOrThrow(context, itemIndex, error));
    }
  }
  return extracted;
}

async function htmlTexts(context: ExecuteContext, json: JsonObject, itemIndex: number): Promise<string[]> {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data');
  if (choiceParameter(context, 'sourceData', itemIndex, ['json', 'binary'], 'json') === 'binary')
    return [await htmlOfFile(context, name, itemIndex)];
  const value = readField(json, parseFieldPath(name));
  const texts = Array.isArray(value) ? value : [value];
  if (texts.every((text) => typeof text === 'string')) return texts;
  throw new NodeOperationError(`the field "${name}" must contain HTML, but is ${describeValue(value)}`, {
    itemIndex,
    description: 'Name the field that contains the HTML in "dataPropertyName"',
  });
}

/** The encoding is determined by a byte order mark, and is otherwise UTF-8. */
async function htmlOfFile(context: ExecuteContext, name: string, itemIndex: number): Promise<string> {
  const bytes = await readBinary(context, itemIndex, name.trim() || 'data');
  return new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes);
}

function readExtractions(context: ExecuteContext, itemIndex: number, keepsEmpty: boolean): Extraction[] {
  const entries = listParameter(context, 'extractionValues.values', itemIndex);
  return entries.map((_, index) => {
    const path = `extractionValues.values.${index}`;
    return {
      key: textParameter(context, `${path}.key`, itemIndex),
      selector: textParameter(context, `${path}.cssSelector`, itemIndex),
      what: choiceParameter(context, `${path}.returnValue`, itemIndex, ['text', 'html', 'attribute', 'value'], 'text'),
      attribute: textParameter(context, `${path}.attribute`, itemIndex),
      keepsEmpty,
      skip: textParameter(context, `${path}.skipSelectors`, itemIndex),
      asList: booleanParameter(context, `${path}.returnArray`, itemIndex, false),
    };
  });
}

function readCleaning(context: ExecuteContext, itemIndex: number, isHtmlExtract: boolean): Cleaning {
  return {
    trim: booleanParameter(context, 'options.trimValues', itemIndex, isHtmlExtract),
    cleanUp: !isHtmlExtract && booleanParameter(context, 'options.cleanUpText', itemIndex, false),
  };
}

async function extractAll(
  $: CheerioAPI,
  extractions: readonly Extraction[],
  cleaning: Cleaning,
  readable: boolean,
  itemIndex: number,
): Promise<JsonObject> {
  const json: JsonObject = {};
  for (const extraction of extractions) {
    const elements = select($, extraction.selector, itemIndex);
    const textOf = readable && extraction.what === 'text' ? await textReader(extraction.skip, itemIndex) : undefined;
    const value = extraction.asList
      ? elements.toArray().map((element) => extractedValue($(element), extraction, cleaning, textOf) ?? null)
      : extractedValue(elements, extraction, cleaning, textOf);
    if (value !== undefined) setOwn(json, extraction.key, value);
  }
  return json;
}

/** An empty selector matches nothing. */
function select($: CheerioAPI, selector: string, itemIndex: number): Cheerio<AnyNode> {
  try {
    return $(selector.trim() === '' ? [] : selector);
  } catch (cause) {
    throw selectorError(selector, itemIndex, cause);
  }
}

function extractedValue(
  elements: Cheerio<AnyNode>,
  extraction: Extraction,
  cleaning: Cleaning,
  textOf: TextOf | undefined,
): JsonValue | undefined {
  const value = rawValue(elements, extraction, textOf);
  return typeof value === 'string' ? cleaned(value, cleaning) : value;
}

function rawValue(
  elements: Cheerio<AnyNode>,
  { what, attribute, keepsEmpty }: Extraction,
  textOf: TextOf | undefined,
): JsonValue | undefined {
  switch (what) {
    case 'text':
      return textOf ? textOf(elements.html() ?? '') : elements.text() || (keepsEmpty ? '' : undefined);
    case 'html':
      return elements.html() || undefined;
    case 'attribute': // without a name, all attributes
      return elements.attr(attribute);
    case 'value':
      return elements.val()?.toString();
  }
}

function cleaned(value: string, { trim, cleanUp }: Cleaning): string {
  const trimmed = trim ? value.trim() : value;
  return cleanUp
    ? trimmed
        .trim()
        .replace(/[\r\n]/g, '')
        .replace(/\s+/g, ' ')
    : trimmed;
}
