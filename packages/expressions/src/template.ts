import { maxSourcesLength, maxUnreadable } from './limits.ts';
import { endOfSource } from './source-end.ts';
import { TemplateError } from './template-error.ts';

/** A piece of a template: literal text, or the source of one `{{ }}`. */
export type TemplatePart = { text: string } | { source: string };

/**
 * Splits a parameter string (without its leading `=`) into text and the sources of its `{{ }}`.
 * Throws a `TemplateError` if a source is nested too deeply or the sources are too long.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  let sourcesLength = 0;
  for (const { from, to } of sourceRanges(text)) {
    const open = from - 2;
    if (open > position) parts.push({ text: text.slice(position, open) });
    parts.push({ source: trimmedSource(text.slice(from, to)) });
    sourcesLength += to - from;
    assertWithinLimit(sourcesLength);
    position = to + 2;
  }
  if (position < text.length) parts.push({ text: text.slice(position) });
  return parts;
}

/**
 * The ranges between `{{` and `}}`, in order. Unclosed braces are text. A source that cannot be
 * read, for example because of a single apostrophe, ends at the first `}}`. Takes linear time.
 * Throws a `TemplateError` if a source is nested too deeply.
 */
export function* sourceRanges(text: string): Generator<{ from: number; to: number }, void, undefined> {
  let position = 0;
  let unreadable = 0;
  while (position < text.length) {
    const open = text.indexOf('{{', position);
    const firstClose = open < 0 ? -1 : text.indexOf('}}', open + 2);
    if (firstClose < 0) return;
    const from = open + 2;
    // After a failed read, the next read starts after the first `}}`. The limit on failed reads
    // keeps the time linear.
    const end = unreadable < maxUnreadable ? endOfSource(text, from) : -1;
    if (end < 0) unreadable += 1;
    const to = end < 0 ? firstClose : end;
    yield { from, to };
    position = to + 2;
  }
}

/** Authors sometimes end an expression like a statement. */
function trimmedSource(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ';' || text[end - 1]?.trim() === '')) end -= 1;
  return text.slice(0, end).trimStart();
}

function assertWithinLimit(sourcesLength: number): void {
  if (sourcesLength > maxSourcesLength)
    throw new TemplateError(`the expressions of one string are longer than ${maxSourcesLength} characters in all`);
}
