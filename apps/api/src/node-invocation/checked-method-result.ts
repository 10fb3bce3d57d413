import { compileValidator, type NodeMethodKind, nodeMethodKinds, nodeMethodResults, type Validator } from '@sluice/contract';
import type { CredentialSession } from '@sluice/credentials';
import { isAppError, isJsonObject, JsonTooLongError, type JsonValue, parseJson, stringifyJson } from '@sluice/domain';

/** Maximum length of a result's JSON, in characters. */
const maxResultLength = 4 * 1024 * 1024;
/** Maximum number of choices or fields in a result: its check cannot be divided. */
const maxEntries = 20_000;
export const maxMessageLength = 1_000;

const validators = new Map<NodeMethodKind, Validator<unknown>>(
  nodeMethodKinds.map((kind) => [kind, compileValidator(nodeMethodResults[kind])]),
);

/**
 * A node type method's result as JSON, without secrets. A service chosen by the caller may
 * determine it, so a large result is read in time slices. Throws a `TypeError` that names the
 * problem.
 */
export async function checkedMethodResult(
  kind: NodeMethodKind,
  result: unknown,
  { scrubber }: Pick<CredentialSession, 'scrubber'>,
  signal: AbortSignal,
): Promise<unknown> {
  const json = await textOf(result, signal);
  const plain = (await parseJson(json, signal)) as JsonValue;
  assertShape(kind, plain);
  if (scrubber.isEmpty || kind === 'credentialTest') return scrubbedMessage(plain, scrubber);
  return parseJson(await scrubber.scrubJson(json, signal), signal);
}

async function textOf(result: unknown, signal: AbortSignal): Promise<string> {
  try {
    const json = await stringifyJson(result ?? null, { signal, maxLength: maxResultLength });
    if (json.length <= maxResultLength) return json;
  } catch (error) {
    if (!(error instanceof JsonTooLongError)) throw error;
  }
  throw new TypeError('the result is too large');
}

function assertShape(kind: NodeMethodKind, plain: JsonValue): void {
  const lists = isJsonObject(plain) ? [plain['results'], plain['fields']] : [plain];
  const isLong = lists.some((list) => Array.isArray(list) && list.length > maxEntries);
  if (isLong && kind !== 'actionHandler') throw new TypeError(`the result has more than ${maxEntries} entries`);
  try {
    validators.get(kind)?.(plain);
  } catch (error) {
    const [issue] = (isAppError(error) && Array.isArray(error.details) ? error.details : []) as {
      path?: string;
      message?: string;
    }[];
    throw new TypeError(`the method returns an invalid ${kind}: ${issue?.path ?? ''} ${issue?.message ?? ''}`.trim());
  }
}

function scrubbedMessage(result: JsonValue, scrubber: CredentialSession['scrubber']): JsonValue {
  if (!isJsonObject(result) || typeof result['message'] !== 'string') return result;
  return { ...result, message: scrubber.scrubText(result['message']).slice(0, maxMessageLength) };
}
