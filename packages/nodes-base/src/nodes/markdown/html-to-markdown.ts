import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import type { CheerioAPI } from 'cheerio';
import type { NodeHtmlMarkdownOptions } from 'node-html-markdown';
import { coercedText } from '../../shared/coerced-text.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../../shared/parameters.ts';
import { type HtmlLimits, htmlLimits, parseHtml } from '../../shared/parse-html.ts';
import { compileUserReplacer } from '../../shared/user-regex.ts';

/**
 * The converter takes quadratic time in these sizes, so the limits are stricter than in other
 * nodes.
 */
const limits: HtmlLimits = { maxLength: 2_000_000, maxElements: 20_000, maxDepth: htmlLimits.maxDepth };
const maxWord = 20_000;
const maxNewlines = 100;

/**
 * Converts HTML to Markdown. Converts the body as a browser parses it: for unclosed markup, the
 * converter's own parser would build a tree as deep as the text is long.
 */
export async function htmlToMarkdown(context: ExecuteContext, html: string, itemIndex: number): Promise<string> {
  const options = readOptions(context, itemIndex);
  const document = await parseHtml(html, itemIndex, limits);
  removeIgnored(document, namesParameter(context, 'options.ignore', itemIndex));
  const body = document('body').html() ?? '';
  checkWords(body, itemIndex);
  const { NodeHtmlMarkdown } = await import('node-html-markdown');
  return new NodeHtmlMarkdown(options).translate(/^\s/.test(html) ? ` ${body}` : body);
}

/** The converter's own option has no effect on block elements. */
function removeIgnored(document: CheerioAPI, names: readonly string[]): void {
  const elements = names.filter((name) => /^[\w-]+$/.test(name));
  if (elements.length > 0) document(elements.join(',')).remove();
}

/** In list entries, a word takes quadratic time in its length. Image addresses are words too. */
function checkWords(html: string, itemIndex: number): void {
  if (!/<li\b/i.test(html)) return;
  let start = 0;
  for (let index = 0; index <= html.length; index++) {
    if (index < html.length && !/\s/.test(html.charAt(index))) continue;
    if (index - start > maxWord) {
      throw new NodeOperationError(`the HTML has a word of more than ${maxWord} characters next to a list`, {
        itemIndex,
        description: 'Remove images that are embedded as data',
      });
    }
    start = index + 1;
  }
}

function readOptions(context: ExecuteContext, itemIndex: number): Partial<NodeHtmlMarkdownOptions> {
  const path = (name: string) => `options.${name}`;
  const delimiter = (name: string, fallback: string) => delimiterParameter(context, path(name), itemIndex, fallback);
  const flag = (name: string) => booleanParameter(context, path(name), itemIndex, false);
  const names = (name: string) => namesParameter(context, path(name), itemIndex);
  const style = choiceParameter(context, path('codeBlockStyle'), itemIndex, ['fence', 'indented'], 'fence');
  const newlines = numberParameter(context, path('maxConsecutiveNewlines'), itemIndex, 3) || 3;
  const replacements = (name: string) => replacementsParameter(context, path(name), itemIndex);
  const [globalEscape] = replacements('globalEscape.value');
  const [lineStartEscape] = replacements('lineStartEscape.value');
  return {
    bulletMarker: delimiter('bulletMarker', '*'),
    codeFence: delimiter('codeFence', '```'),
    emDelimiter: delimiter('emDelimiter', '_'),
    strongDelimiter: delimiter('strongDelimiter', '**'),
    codeBlockStyle: style === 'fence' ? 'fenced' : 'indented',
    maxConsecutiveNewlines: Math.min(Math.max(Math.floor(newlines), 1), maxNewlines),
    keepDataImages: flag('keepDataImages'),
    useLinkReferenceDefinitions: flag('useLinkReferenceDefinitions'),
    blockElements: names('blockElements'),
    textReplace: replacements('textReplace.values'),
    ...(globalEscape && { globalEscape }),
    ...(lineStartEscape && { lineStartEscape }),
  };
}

/** The converter builds patterns from delimiters; a length limit keeps them cheap. */
function delimiterParameter(context: ExecuteContext, path: string, itemIndex: number, fallback: string): string {
  const value = textParameter(context, path, itemIndex, fallback) || fallback;
  if (/^\S{1,10}$/.test(value)) return value;
  throw new NodeOperationError(`the parameter "${path}" must be one to ten characters without spaces, such as ${fallback}`, {
    itemIndex,
    description: 'Shorten the delimiter',
  });
}

/**
 * The user's patterns as replacements for regular expressions: `String.prototype.replace` calls
 * them, and they call RE2.
 */
function replacementsParameter(context: ExecuteContext, path: string, itemIndex: number): [RegExp, string][] {
  return listParameter(context, path, itemIndex).map(({ pattern, replacement }) => {
    const replace = compileUserReplacer(coercedText(pattern), coercedText(replacement), `"${path}"`, false);
    const stand: unknown = { [Symbol.replace]: replace };
    return [stand as RegExp, ''];
  });
}
