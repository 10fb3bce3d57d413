import { closingBraces } from './closing-braces.ts';
import type { TemplatePart } from './protocol.ts';

/**
 * Splits a parameter string that began with `=` (without it) into text and the sources of its `{{ }}`.
 * Braces that are opened and never closed are text.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('{{', position);
    const close = open < 0 ? -1 : closingBraces(text, open + 2);
    if (close < 0) break;
    if (open > position) parts.push({ text: text.slice(position, open) });
    parts.push({ source: expressionSource(text.slice(open + 2, close)) });
    position = close + 2;
  }
  if (position < text.length) parts.push({ text: text.slice(position) });
  return parts;
}

/** Authors end an expression as a statement now and then. */
function expressionSource(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ';' || text[end - 1]?.trim() === '')) end -= 1;
  return text.slice(0, end).trimStart();
}
