import { createRequire } from 'node:module';
import type { IOptions } from 'sanitize-html';
import { escapeHtml } from '../http/escape-html.ts';
import { Html } from './html.ts';

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
    // The page has its own.
    h1: 'h2',
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer nofollow', target: '_blank' } }),
  },
};

/** Characters. What sanitizes takes time by the square of the tags that are left open: of so many, some ten milliseconds. */
const maxLength = 20_000;

/** Characters of HTML that one page sanitizes: a page may have hundreds of such texts. */
export interface HtmlBudget {
  left: number;
}

export function htmlBudget(): HtmlBudget {
  return { left: 2 * maxLength };
}

/**
 * Sanitizes HTML that authors write and that may contain values of items: only text formatting and links remain. A line break stays one on the page.
 * More than 20,000 characters, or than the budget has left, are shown as they are, tags and all.
 */
export function authorHtml(text: string, budget: HtmlBudget = htmlBudget()): Html {
  if (text.length > Math.min(maxLength, budget.left) || !/[<&]/.test(text)) return withBreaks(escapeHtml(text));
  budget.left -= text.length;
  // When somebody first needs it: the library costs a process 20 MB.
  const sanitize = require('sanitize-html') as typeof import('sanitize-html');
  return withBreaks(sanitize(text, allowed));
}

function withBreaks(safe: string): Html {
  return new Html(/<(?:p|div|ul|ol|table|pre|h\d|br)\b/.test(safe) ? safe : safe.replaceAll(/\r?\n|\\n/g, '<br>'));
}
