import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import { parseTemplate, TemplateError } from '@sluice/expressions';
import type { NodeProperty } from '@sluice/node-sdk';

/**
 * Applies the property marks `isTemplate`, `isExpressionList`, `expressionsAsValues`, and
 * `keepsTimeZone` by making the implied expressions explicit in the parameters.
 */
export function applyPropertyMarks(parameters: JsonObject, properties: readonly NodeProperty[] = []): JsonObject {
  const marked = properties.flatMap((property): [string, JsonValue][] => {
    const value = ownProperty(parameters, property.name);
    const written = value === undefined ? undefined : markedValue(value, property);
    return written === undefined || written === value ? [] : [[property.name, written]];
  });
  return marked.length > 0 ? { ...parameters, ...Object.fromEntries(marked) } : parameters;
}

function markedValue(value: JsonValue, property: NodeProperty): JsonValue {
  if (typeof value === 'string') return markedText(value, property);
  if (property.type !== 'collection' || !isJsonObject(value)) return value;
  const lists = (property.options ?? []).filter((option): option is NodeProperty => 'isExpressionList' in option);
  return lists.length > 0 ? applyPropertyMarks(value, lists) : value;
}

function markedText(value: string, property: NodeProperty): JsonValue {
  if (property.isTemplate || property.expressionsAsValues) {
    const text = property.isTemplate && !value.startsWith('=') ? `=${value}` : value;
    return property.expressionsAsValues ? ifTemplate(text, textAndExpressions) : text;
  }
  if (property.isExpressionList) return ifTemplate(value, expressionList);
  return property.keepsTimeZone ? ifTemplate(value, withTimeZone) : value;
}

/** A string that is no template is unchanged: the sandbox reports it when the parameter is read. */
function ifTemplate(text: string, split: (text: string) => JsonValue): JsonValue {
  try {
    return split(text);
  } catch (error) {
    if (error instanceof TemplateError) return text;
    throw error;
  }
}

/** No other expression returns a Luxon object with its own time zone. */
const mayGiveDate = /DateTime|Interval|\$now|\$today/;

const dateWithZone = `(date) => {
  if (!DateTime.isDateTime(date)) return date;
  const locale = date.locale === 'en-US' ? '' : '[_locale=' + date.locale + ']';
  return date.isValid ? date.toISO() + '[' + date.zoneName + ']' + locale : 'Invalid DateTime';
}`;

/** A date's text would lose the zone name, and an invalid date would be null. */
function withTimeZone(text: string): JsonValue {
  if (!text.startsWith('=') || !mayGiveDate.test(text)) return text;
  const [part, ...more] = parseTemplate(text.slice(1));
  if (!part || !('source' in part) || more.length > 0) return text;
  // Two pairs of parentheses: a comma in the source does not separate arguments.
  return `={{ (${dateWithZone})((\n${part.source}\n)) }}`;
}

/** Splits text with several parts into a list; each part is an expression. */
function expressionList(text: string): JsonValue {
  if (!text.startsWith('=')) return text;
  const parts = splitOutsideBraces(text.slice(1)).map((part) => part.trim());
  return parts.length > 1 ? parts.map((part) => (part.includes('{{') ? `=${part}` : part)) : text;
}

/**
 * Splits text into alternating text and expressions. Text that starts with `=` becomes an
 * expression that returns it.
 */
function textAndExpressions(text: string): JsonValue {
  if (!text.startsWith('=')) return text;
  const parts = [''];
  for (const part of parseTemplate(text.slice(1))) {
    if ('text' in part) parts.push(`${parts.pop()}${part.text}`);
    else parts.push(`={{ ${part.source} }}`, '');
  }
  return parts.map((part, index) => (index % 2 === 0 && part.startsWith('=') ? `=${part}` : part));
}

function splitOutsideBraces(text: string): string[] {
  const parts = [''];
  const append = (piece: string) => parts.push(`${parts.pop()}${piece}`);
  for (const part of parseTemplate(text)) {
    const [first = '', ...more] = 'text' in part ? part.text.split(',') : [`{{ ${part.source} }}`];
    append(first);
    parts.push(...more);
  }
  return parts;
}
