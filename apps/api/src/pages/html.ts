import { escapeHtml } from '../http/escape-html.ts';

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string;

  /** For markup that is known to be safe; texts go through `html`. */
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | readonly Html[] | string | number | undefined | false;

/** Markup with texts in it; these are escaped, for places between tags and in quoted attributes. Absent parts are left out. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.map((text, i) => text + textOf(parts[i])).join(''));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(({ text }) => text).join('');
}
