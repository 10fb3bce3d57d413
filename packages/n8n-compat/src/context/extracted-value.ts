import { isJsonObject } from '@sluice/domain';
import type { CommunityExtraction, CommunityProperty } from '../community-types.ts';
import { ApplicationError } from '../workflow-module/errors.ts';

/**
 * Maximum length of a value matched by a package's pattern, in characters: patterns may backtrack,
 * and values come from workflow authors.
 */
const maxLength = 2_000;

/**
 * The resource that a locator identifies, extracted from its URL or text. Other values are
 * unchanged.
 */
export function extractedValue(value: unknown, property: CommunityProperty | undefined, path: string): unknown {
  if (!isJsonObject(value) || value['__rl'] !== true)
    return property?.extractValue ? byRule(value, property.extractValue, path) : value;
  const mode = property?.modes?.find(({ name }) => name === value['mode']);
  const rule = mode?.extractValue ?? property?.extractValue;
  return rule ? byRule(value['value'], rule, path) : value['value'];
}

function byRule(value: unknown, { type, regex }: CommunityExtraction, path: string): unknown {
  if (type !== 'regex' || regex === undefined) return value;
  const text = String(value);
  if (text.length > maxLength) throw new ApplicationError(`The value of "${path}" is longer than ${maxLength} characters`);
  const match = new RegExp(regex).exec(text);
  if (match) return match[1] ?? match[0];
  throw new ApplicationError(`The value of "${path}" does not have the expected format`, {
    description: `It has to match ${String(regex)}`,
  });
}
