import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import type { ThreadTask } from '@sluice/nodes-base/node-tools';
import { jsonInAnswer } from './json-answer.ts';
import { schemaProblems } from './json-schema.ts';

/** Text that is searched for JSON, or a value. */
export type CheckedJson = { schema: JsonObject } & ({ text: string } | { value: JsonValue });

/** `value` is absent if the text contains no JSON. */
export interface JsonCheck {
  value?: JsonValue;
  problems: string[];
}

/** Reads and checks a model's JSON, on a worker thread: repairs and schemas may never terminate. */
export const task: ThreadTask<CheckedJson> = async function* (input) {
  const value = 'text' in input ? jsonInAnswer(input.text) : input.value;
  if (value === undefined) return yield { problems: [] } satisfies JsonCheck;
  const problems = schemaProblems(input.schema, value);
  const inner = problems.length > 0 && 'text' in input ? wrapped(value) : undefined;
  const isInner = inner !== undefined && schemaProblems(input.schema, inner).length === 0;
  yield (isInner ? { value: inner, problems: [] } : { value, problems }) satisfies JsonCheck;
};

/** Models trained on other services often wrap the answer. */
function wrapped(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) && Object.keys(value).length === 1 ? ownProperty(value, 'output') : undefined;
}
