/**
 * Text in parts of limited length; no part ends within a surrogate pair. Empty text has no parts.
 */
export function textParts(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + maxLength, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--;
    parts.push(text.slice(start, end));
  }
  return parts;
}
