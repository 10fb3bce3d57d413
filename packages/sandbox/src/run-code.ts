import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { CodeRunRequest, CodeRunResult, StaticData } from './api.ts';
import { toItems } from './code-result.ts';
import { customDataOf } from './custom-data.ts';
import { CodeError, type CodeErrorOptions } from './errors.ts';
import type { GuestPool } from './guest-pool.ts';
import { runGuestRounds } from './guest-rounds.ts';
import { GuestScopeBuilder } from './guest-scope-builder.ts';
import { maxLogEntries, maxLogLength, maxOutputLength, maxSourceLength, maxStaticDataLength } from './limits.ts';
import { describeFailure } from './outcome-messages.ts';
import type { CodeRequest, GuestOutcome } from './protocol.ts';
import { referencedData } from './referenced-data.ts';

/** Code is longer than expressions are. */
const maxCodeLength = 16 * maxSourceLength;

/** Runs user code in the guest. Rejects with a `CodeError`, or with the signal's reason. */
export async function runCode(
  pool: GuestPool,
  timeoutMs: number,
  { source, mode, scope, staticData }: CodeRunRequest,
  signal: AbortSignal,
): Promise<CodeRunResult> {
  if (source.length > maxCodeLength) throw new CodeError({ message: `the code is longer than ${maxCodeLength} characters` });
  const referenced = referencedData([source]);
  const builder = new GuestScopeBuilder(scope, { ...referenced, items: true, jsonFields: undefined });
  const parts = {
    staticData: (referenced.staticData ? staticData : undefined) ?? { global: {}, node: {} },
    maxOutputLength,
    maxLogEntries,
    maxLogLength,
  };
  const outcome = await runGuestRounds(pool, {
    run: 'code',
    image: referenced.image,
    timeoutMs,
    builder,
    requestFor: (guestScope): CodeRequest => ({ scope: guestScope, source, mode, ...parts }),
    signal,
  });
  if ('failure' in outcome) throw new CodeError(codeFailure(outcome.failure, timeoutMs));
  const logs = logsOf(outcome.reply);
  const expected = mode === 'eachItem' || mode === 'functionItem' ? scope.items.length : 1;
  const values = valuesOf(outcome.reply, expected, logs);
  const items = toItems(values, { mode, inputs: scope.items, knowsBinaryId: (id) => builder.knowsBinaryId(id) });
  const customData = customDataOf(outcome.reply);
  const changed = staticDataOf(outcome.reply, logs);
  return { items, logs, ...(customData && { customData }), ...(changed && { staticData: changed }) };
}

/** Static data that the code changed; throws a `CodeError` when they are too much to store. */
function staticDataOf({ staticData }: JsonObject, logs: string[]): Partial<StaticData> | undefined {
  if (!isJsonObject(staticData)) return undefined;
  const changed: Partial<StaticData> = {};
  for (const type of ['global', 'node'] as const) {
    const data = staticData[type];
    if (!isJsonObject(data)) continue;
    if (JSON.stringify(data).length > maxStaticDataLength) {
      throw new CodeError({ message: `the ${type} static data is longer than ${maxStaticDataLength} characters`, logs });
    }
    changed[type] = data;
  }
  return changed;
}

function codeFailure(failure: Extract<GuestOutcome, { failure: string }>['failure'], timeoutMs: number): CodeErrorOptions {
  const message = `the code ${describeFailure(failure, timeoutMs)}`;
  if (failure === 'timeout') return { code: 'CODE_TIMEOUT', message };
  return failure === 'memory' ? { code: 'CODE_MEMORY', message } : { message };
}

function logsOf({ logs }: JsonObject): string[] {
  const texts = Array.isArray(logs) ? logs.filter((entry) => typeof entry === 'string') : [];
  return texts.slice(0, maxLogEntries).map((text) => text.slice(0, maxLogLength));
}

/** Throws what the code threw. */
function valuesOf({ values, failure }: JsonObject, expected: number, logs: string[]): (JsonValue | undefined)[] {
  if (isJsonObject(failure)) throw thrownError(failure, logs);
  if (!Array.isArray(values) || values.length !== expected || !values.every(Array.isArray)) {
    throw new CodeError({ message: `the code ${describeFailure('broken', 0)}`, logs });
  }
  return values.map((value) => (value as JsonValue[])[0]);
}

function thrownError({ message, line, itemIndex, outOfMemory }: JsonObject, logs: string[]): CodeError {
  return new CodeError({
    message: typeof message === 'string' ? message : 'unknown error',
    code: outOfMemory === true ? 'CODE_MEMORY' : 'CODE_ERROR',
    line: typeof line === 'number' ? line : undefined,
    itemIndex: typeof itemIndex === 'number' ? itemIndex : undefined,
    logs,
  });
}
