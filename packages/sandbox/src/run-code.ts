import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { CodeRunRequest, CodeRunResult } from './api.ts';
import { toItems } from './code-result.ts';
import { CodeError, type CodeErrorOptions } from './errors.ts';
import type { GuestPool } from './guest-pool.ts';
import { runGuestRounds } from './guest-rounds.ts';
import { GuestScopeBuilder } from './guest-scope-builder.ts';
import { maxLogEntries, maxLogLength, maxOutputLength, maxSourceLength } from './limits.ts';
import { describeFailure } from './outcome-messages.ts';
import type { CodeRequest, GuestOutcome } from './protocol.ts';
import { referencedData } from './referenced-data.ts';

/** Code is longer than expressions are. */
const maxCodeLength = 16 * maxSourceLength;

/** Runs user code in the guest. Rejects with a `CodeError`, or with the signal's reason. */
export async function runCode(
  pool: GuestPool,
  timeoutMs: number,
  { source, mode, scope }: CodeRunRequest,
  signal: AbortSignal,
): Promise<CodeRunResult> {
  if (source.length > maxCodeLength) throw new CodeError({ message: `the code is longer than ${maxCodeLength} characters` });
  const referenced = referencedData([source]);
  const builder = new GuestScopeBuilder(scope, { ...referenced, items: true });
  const limits = { maxOutputLength, maxLogEntries, maxLogLength };
  const outcome = await runGuestRounds(pool, {
    run: 'code',
    image: referenced.image,
    timeoutMs,
    builder,
    requestFor: (guestScope): CodeRequest => ({ scope: guestScope, source, mode, ...limits }),
    signal,
  });
  if ('failure' in outcome) throw new CodeError(codeFailure(outcome.failure, timeoutMs));
  const logs = logsOf(outcome.reply);
  const expected = mode === 'eachItem' ? scope.items.length : 1;
  const items = toItems(valuesOf(outcome.reply, expected, logs), mode, (id) => builder.knowsBinaryId(id));
  return { items, logs };
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
