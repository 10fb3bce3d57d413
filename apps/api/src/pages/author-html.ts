import { createRequire } from 'node:module';
import type { IOptions } from 'sanitize-html';
import { escapeHtml, Html } from './html.ts';

const require = createRequire(import.meta.url);

const blocks = 'h2 h3 h4 h5 h6 p div span br hr blockquote pre code ul ol li dl dt dd';
const inline = 'a b strong i em u s small sub sup mark abbr';
const tables = 'table caption thead tbody tfoot tr th td';

const allowed: IOptions = {
  allowedTags: [...blocks.split(' '), ...inline.split(' '), ...tables.split(' ')],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    abbr: ['title'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 50,
  transformTags: {
    // The page has its own `h1`.
    h1: 'h2',
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer nofollow', target: '_blank' } }),
  },
};

/** In characters. The sanitizer takes quadratic time for unclosed tags: here, about 10 ms. */
const maxLength = 20_000;

/** HTML characters that one page may still sanitize; a page may have hundreds of such values. */
export interface HtmlBudget {
  remaining: number;
}

export function htmlBudget(): HtmlBudget {
  return { remaining: 2 * maxLength };
}

/**
 * Sanitizes HTML of an author, which may contain values of items: only text formatting and links
 * remain. Line breaks are kept. Text of more than 20,000 characters, or over the budget, is shown
 * escaped.
 */
export function authorHtml(text: string, budget: HtmlBudget = htmlBudget()): Html {
  if (text.length > Math.min(maxLength, budget.remaining) || !/[<&]/.test(text)) return withBreaks(escapeHtml(text));
  budget.remaining -= text.length;
  // Loaded on first use: the library takes 20 MB.
  const sanitize = require('sanitize-html') as typeof import('sanitize-html');
  return withBreaks(sanitize(text, allowed));
}

function withBreaks(safe: string): Html {
  return new Html(/<(?:p|div|ul|ol|table|pre|h\d|br)\b/.test(safe) ? safe : safe.replaceAll(/\r?\n|\\n/g, '<br>'));
}
