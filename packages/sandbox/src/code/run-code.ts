import {
  type BinaryReference,
  type Item,
  isAppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSliced,
  stringifyJson,
} from '@sluice/domain';
import type { CodeFile, CodeRunRequest, CodeRunResult, StaticData } from '../api.ts';
import { customDataOf } from '../custom-data.ts';
import { CodeError, type CodeErrorOptions } from '../errors.ts';
import { maxCodeLength, maxFileBytes, maxLogEntries, maxLogLength, maxOutputLength, maxStaticDataLength } from '../limits.ts';
import { describeFailure, hintFor } from '../outcome-messages.ts';
import type { CodeRequest, FileReply, GuestFailure } from '../protocol.ts';
import { pythonClock } from '../python/clock.ts';
import { findPythonReferences } from '../python/find-references.ts';
import { canConfinePython } from '../python/process.ts';
import { itemCountOf, originOf } from '../scope/evaluation-scope.ts';
import { findReferences } from '../scope/find-references.ts';
import { GuestScopeBuilder } from '../scope/guest-scope-builder.ts';
import { type GuestCaller, runGuestRounds } from '../threads/guest-rounds.ts';
import { type ResultRules, toItemOfRun, toItems } from './code-result.ts';

/** The runners of each language. */
interface CodeRunners {
  javaScript: GuestCaller;
  python: GuestCaller;
  timeoutMs: number;
}

/** Runs user code in the guest. Rejects with a `CodeError`, or with the signal's reason. */
export async function runCode(
  runners: CodeRunners,
  { source, language = 'javaScript', mode, scope, staticData, readFile, continueOnFail = false }: CodeRunRequest,
  signal: AbortSignal,
): Promise<CodeRunResult> {
  if (source.length > maxCodeLength) throw new CodeError({ message: `the code is longer than ${maxCodeLength} characters` });
  const isPython = language !== 'javaScript';
  if (isPython && !canConfinePython()) throw new CodeError(pythonUnavailable);
  const { timeoutMs } = runners;
  const references = isPython ? findPythonReferences(source) : findReferences([source]);
  const builder = new GuestScopeBuilder(scope, { ...references, items: true, jsonFields: undefined });
  const parts = {
    continueOnFail,
    staticData: (references.staticData ? await staticData?.() : undefined) ?? { global: {}, node: {} },
    maxOutputLength,
    maxLogEntries,
    maxLogLength,
    ...(isPython && {
      native: language === 'pythonNative',
      clock: pythonClock(scope.nowMs, scope.workflow.timezone),
    }),
  };
  const outcome = await runGuestRounds(isPython ? runners.python : runners.javaScript, {
    run: 'code',
    image: references.image,
    origin: originOf(scope),
    timeoutMs,
    builder,
    requestFor: (guestScope): CodeRequest => ({ scope: guestScope, source, mode, ...parts }),
    readFile: (id) => replyOf(builder.fileOf(id), readFile),
    signal,
  });
  if ('failure' in outcome) throw new CodeError(codeFailure(outcome.failure, timeoutMs));
  const logs = logsOf(outcome.reply);
  const files: CodeFile[] = [];
  const rules = { mode, inputs: scope.items, knowsBinaryId: (id: string) => builder.fileOf(id) !== undefined, files };
  const values = valuesOf(outcome.reply, mode === 'allItems' ? 1 : itemCountOf(scope), logs);
  const inputs =
    mode === 'allItems'
      ? { items: await toItems(returnedValue(values[0], logs), rules) }
      : await itemsOfRuns(values, rules, parts, logs);
  const customData = customDataOf(outcome.reply, scope.execution.customData);
  // Code that concealed its use of static data received none; its changes must not replace the
  // stored data.
  const changed = references.staticData ? await staticDataOf(outcome.reply, logs) : undefined;
  return {
    ...inputs,
    ...(files.length > 0 && { files }),
    logs,
    ...(customData && { customData }),
    ...(changed && { staticData: changed }),
  };
}

async function replyOf(file: BinaryReference | undefined, readFile: CodeRunRequest['readFile']): Promise<FileReply> {
  if (!readFile) return { refusal: 'this code cannot read files' };
  if (!file) return { refusal: 'this is not a file that the code received' };
  try {
    return { content: await readFile(file, maxFileBytes) };
  } catch (error) {
    const isRefused = isAppError(error) && (error.code === 'BINARY_NOT_FOUND' || error.code === 'BINARY_TOO_LARGE');
    if (isRefused) return { refusal: error.message };
    throw error;
  }
}

const pythonUnavailable: CodeErrorOptions = {
  message: 'Python is not available: this version of Node cannot deny network access to a process',
  hint: 'Run the workers on Node 25 or newer, or write the code in JavaScript.',
};

/**
 * The items of the runs. Failures are thrown, or reported with an empty item each if
 * `continueOnFail` is true.
 */
async function itemsOfRuns(
  values: readonly JsonValue[],
  rules: ResultRules,
  { continueOnFail }: { continueOnFail: boolean },
  logs: string[],
): Promise<Pick<CodeRunResult, 'items' | 'failures'>> {
  const results = await mapSliced(values, (value, itemIndex): Item | CodeError | undefined => {
    try {
      return toItemOfRun(returnedValue(value, logs), itemIndex, rules);
    } catch (error) {
      if (!continueOnFail || !(error instanceof CodeError)) throw error;
      return error;
    }
  });
  const returned = results.filter((result) => result !== undefined);
  const failures = new Map(
    returned.flatMap((result, index) => (result instanceof CodeError ? [[index, result] as const] : [])),
  );
  const items = returned.map((result): Item => (result instanceof CodeError ? { json: {} } : result));
  return failures.size > 0 ? { items, failures } : { items };
}

/** Static data that the code changed. Throws a `CodeError` if it is too large to store. */
async function staticDataOf({ staticData }: JsonObject, logs: string[]): Promise<Partial<StaticData> | undefined> {
  if (!isJsonObject(staticData)) return undefined;
  const changed: Partial<StaticData> = {};
  for (const type of ['global', 'node'] as const) {
    const data = staticData[type];
    if (!isJsonObject(data)) continue;
    if ((await stringifyJson(data)).length > maxStaticDataLength) {
      throw new CodeError({ message: `the ${type} static data is longer than ${maxStaticDataLength} characters`, logs });
    }
    changed[type] = data;
  }
  return changed;
}

function codeFailure(failure: GuestFailure, timeoutMs: number): CodeErrorOptions {
  const described = { message: `the code ${describeFailure(failure, timeoutMs)}`, hint: hintFor(failure) };
  if (failure === 'timeout') return { code: 'CODE_TIMEOUT', ...described };
  return failure === 'memory' ? { code: 'CODE_MEMORY', ...described } : described;
}

/** The guest enforces the limits, unless its code has replaced the functions that enforce them. */
function logsOf({ logs }: JsonObject): string[] {
  const texts = Array.isArray(logs) ? logs.filter((entry) => typeof entry === 'string') : [];
  let remaining = maxLogLength;
  return texts.slice(0, maxLogEntries).map((text) => {
    const part = text.slice(0, remaining);
    remaining -= part.length;
    return part;
  });
}

/** The results of the runs; see `CodeReply`. Throws the code's errors. */
function valuesOf({ values, failure }: JsonObject, expected: number, logs: string[]): JsonValue[] {
  if (isJsonObject(failure)) throw thrownError(failure, logs);
  if (!Array.isArray(values) || values.length !== expected) throw brokenReply(logs);
  return values;
}

function returnedValue(value: JsonValue | undefined, logs: string[]): JsonValue | undefined {
  if (isJsonObject(value)) throw thrownError(value, logs);
  if (!Array.isArray(value)) throw brokenReply(logs);
  return value[0];
}

function brokenReply(logs: string[]): CodeError {
  return new CodeError({ message: `the code ${describeFailure('broken', 0)}`, logs });
}

function thrownError({ message, line, itemIndex, outOfMemory, tooMuch }: JsonObject, logs: string[]): CodeError {
  return new CodeError({
    message: typeof message === 'string' ? message : 'unknown error',
    code: outOfMemory === true ? 'CODE_MEMORY' : 'CODE_ERROR',
    hint: outOfMemory === true ? hintFor('memory') : tooMuch === true ? hintFor('output') : undefined,
    line: typeof line === 'number' ? line : undefined,
    itemIndex: typeof itemIndex === 'number' ? itemIndex : undefined,
    logs,
  });
}
