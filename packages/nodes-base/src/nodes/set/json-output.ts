import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { parse } from 'acorn';
import { jsonrepair } from 'jsonrepair';
import { FieldEditor, parseFieldPath } from '../../shared/field-path.ts';
import { wrongParameter } from '../../shared/parameters.ts';
import { usesDots } from './included-fields.ts';

export const defaultJsonOutput = '{\n  "my_field_1": "value",\n  "my_field_2": 1\n}';

/**
 * `base` with the fields of the JSON mode written over it; a dot in a top-level name refers to a
 * nested field.
 */
export function withJsonOutput(context: ExecuteContext, itemIndex: number, base: JsonObject): JsonObject {
  const dotNotation = usesDots(context, itemIndex);
  const editor = new FieldEditor(base);
  for (const [name, value] of Object.entries(readJsonOutput(context, itemIndex)))
    editor.set(parseFieldPath(name, dotNotation), value);
  return editor.json;
}

function readJsonOutput(context: ExecuteContext, itemIndex: number): JsonObject {
  const parameter = context.parameter<JsonValue>('jsonOutput', itemIndex, defaultJsonOutput);
  const output = jsonOutputOf(parameter);
  const object = typeof output === 'string' ? parseLenient(output, Array.isArray(parameter)) : output;
  if (isJsonObject(object)) return object;
  throw wrongParameter('jsonOutput', 'a JSON object', output, itemIndex);
}

/**
 * The value of a single expression, or the text that alternating text and expressions produce
 * (`expressionsAsValues`): values are inserted as JSON, strings unchanged.
 */
export function jsonOutputOf(parameter: JsonValue): JsonValue {
  if (!Array.isArray(parameter)) return parameter;
  const [before, whole, after] = parameter;
  if (parameter.length === 3 && `${before}${after}`.trim() === '') return whole ?? null;
  return parameter.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/**
 * JSON, or text that is close to it: single quotes, unquoted names, trailing commas. Author text
 * must at least be a JavaScript expression: repairing anything else would be guesswork. `undefined`
 * for other text.
 */
function parseLenient(text: string, hasExpressions: boolean): JsonValue | undefined {
  const exact = attempt(() => JSON.parse(text) as JsonValue);
  if (exact !== undefined || !(hasExpressions || attempt(() => parse(`(${text})`, { ecmaVersion: 'latest' })))) return exact;
  return repairedJson(text);
}

/**
 * The value of invalid JSON, such as a language model's output; `undefined` if it cannot be
 * repaired.
 */
export function repairedJson(text: string): JsonValue | undefined {
  return attempt(() => JSON.parse(jsonrepair(text)) as JsonValue);
}

/** `undefined` if it throws. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
