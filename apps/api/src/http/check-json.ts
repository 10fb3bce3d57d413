import {
  type AppError,
  errorMessage,
  type JsonValue,
  PayloadTooLargeError,
  parseJson,
  TooManyMembersError,
  ValidationError,
} from '@sluice/domain';
import { findJsonFaultInSlices, type JsonFault, type JsonRules, maxJsonParts } from './find-json-fault.ts';

/** Maximum length of a path in a response, in characters: it contains keys chosen by the caller. */
const maxPathLength = 256;

/**
 * Checks the JSON of a body before it is parsed. Throws for JSON that would block the event loop, or
 * that parsing would change (repeated keys, numbers out of range).
 */
export async function assertSoundJson(text: Buffer, rules: JsonRules): Promise<void> {
  const found = await findJsonFaultInSlices(text, rules);
  if (found) throw refusalOf(found, rules);
}

/** The value of a body that `assertSoundJson` accepted, parsed in time slices. */
export async function parseBody(text: string): Promise<JsonValue> {
  try {
    return (await parseJson(text.replace(/^\uFEFF/, ''))) as JsonValue;
  } catch (error) {
    if (error instanceof TooManyMembersError) throw new PayloadTooLargeError(error.message);
    throw new ValidationError(`the body is not valid JSON${placeOf(error)}`, '');
  }
}

/** Position of the fault, if V8's message contains it: most messages for text of up to 64 KiB do. */
function placeOf(error: unknown): string {
  const message = errorMessage(error);
  if (message.startsWith('Unexpected end')) return ': it ends too early';
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? '' : `: see line ${line}, column ${column}`;
}

function refusalOf(found: JsonFault, { maxDepth }: JsonRules): AppError {
  switch (found.fault) {
    case 'too deep':
      return new ValidationError(`the body is nested deeper than ${maxDepth} levels`, '');
    case 'number out of range':
      return new ValidationError('a number is out of range', (found.path ?? '').slice(0, maxPathLength));
    case 'too many parts':
      return new PayloadTooLargeError(`the body has more than ${maxJsonParts} parts: arrays, objects, keys and strings`);
    case 'repeated key': {
      const issue = { path: found.path.slice(0, maxPathLength), message: 'is given more than once' };
      return new ValidationError('the request is not valid', [issue]);
    }
  }
}
