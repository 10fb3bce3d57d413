import type { JsonValue } from '@sluice/node-sdk';
import { jsonrepair } from 'jsonrepair';

/** Longest answer that is searched for JSON. */
const maxLength = 1_000_000;
const fence = '```';

/**
 * The JSON in a model's answer: the whole text, the content of a code block, or the text between
 * the first and the last bracket. Repairs small errors. `undefined` if the answer contains no JSON.
 */
export function jsonInAnswer(answer: string): JsonValue | undefined {
  if (answer.length > maxLength) return undefined;
  for (const candidate of [answer, codeBlock(answer), betweenBrackets(answer)]) {
    const value = candidate === undefined ? undefined : parsed(candidate.trim());
    if (value !== undefined) return value;
  }
  return undefined;
}

function parsed(text: string): JsonValue | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  for (const read of [() => text, () => jsonrepair(text)]) {
    try {
      return JSON.parse(read()) as JsonValue;
    } catch {
      // the next candidate
    }
  }
  return undefined;
}

function codeBlock(text: string): string | undefined {
  const start = text.indexOf(fence);
  const firstLine = text.indexOf('\n', start);
  const end = text.indexOf(fence, firstLine);
  return start < 0 || firstLine < 0 || end < 0 ? undefined : text.slice(firstLine + 1, end);
}

function betweenBrackets(text: string): string | undefined {
  const starts = ['{', '['].map((bracket) => text.indexOf(bracket)).filter((index) => index >= 0);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const start = Math.min(...starts);
  return end > start ? text.slice(start, end + 1) : undefined;
}
