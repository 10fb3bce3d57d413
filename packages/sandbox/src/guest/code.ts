import type { CodeRequest, GuestCodeFailure, GuestItem, GuestNode } from '../protocol.ts';
import { FileAccess } from './binary-data.ts';
import { defineHelpers, timers } from './code-globals.ts';
import { createConsole } from './console.ts';
import { evaluateScript } from './evaluate-script.ts';
import { messageOf } from './failures.ts';
import { FileReads } from './file-reads.ts';
import type { GuestData } from './guest-data.ts';
import { copyOf, stringify } from './json.ts';
import { type Cursor, defineAll, defineNames, enterItem, type Language } from './language.ts';
import { outOfMemory } from './messages.ts';
import { needs } from './needs.ts';
import { StaticDataAccess } from './static-data.ts';

/**
 * An item of input 0, as passed to user code. It has its position, so that code that passes it on
 * keeps the link.
 */
type CodeItem = GuestItem & { pairedItem: { item: number } };

/**
 * One run of user code. It ends by setting `reply`, a `CodeReply` as JSON text; remaining timers
 * never fire.
 */
export interface CodeRun {
  reply: string | undefined;
  readonly files: FileReads;
  /** Milliseconds until the next timer; `undefined` if no work remains. */
  untilTimer(): number | undefined;
  /** Runs the next timer if it is due. If its function throws or rejects, the code fails. */
  fireTimer(): void;
}

/** Starts user code. It has finished when `reply` is set; until then, promises are pending. */
export function startCode(request: CodeRequest, { data, cursor }: Language): CodeRun {
  const logs: string[] = [];
  data.receive(codeScope(request));
  const staticData = new StaticDataAccess(request.staticData);
  const getStaticData = (type: unknown) => staticData.get(type);
  defineNames(data);
  const files = new FileReads();
  const access = new FileAccess(files, data.inputItems());
  defineHelpers(access);
  defineAll({
    // Authors may pass an item index between the path and the fallback.
    getNodeParameter: (path: unknown, ...rest: unknown[]) =>
      parameterAt(data.scope.parameters, String(path)) ?? rest[rest.length > 1 ? 1 : 0],
    console: createConsole(logs, request),
    $getWorkflowStaticData: getStaticData,
    getWorkflowStaticData: getStaticData,
  });
  const fail = (error: unknown) => {
    run.reply ??= replyOf(failed(failureOf(error, undefined)), logs);
  };
  const run: CodeRun = {
    reply: undefined,
    files,
    untilTimer: () => timers.untilNext(),
    fireTimer: () => {
      try {
        const result = timers.fireNext();
        if (result instanceof Promise) result.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
  };
  void finish(run, { request, data, cursor, staticData, logs, access });
  return run;
}

/** The unresolved value at a dotted `path`. */
function parameterAt(parameters: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string, unknown>)[step];
  }, parameters);
}

interface Run {
  request: CodeRequest;
  data: GuestData;
  cursor: Cursor;
  staticData: StaticDataAccess;
  logs: string[];
  access: FileAccess;
}

async function finish(run: CodeRun, parts: Run): Promise<void> {
  const outcome = await runAll(parts);
  run.reply ??= replyOf(outcome, parts.logs);
}

function replyOf(outcome: string, logs: string[]): string {
  return needs.length > 0 ? `{"needs":${stringify(needs)}}` : `{${outcome},"logs":${stringify(logs)}}`;
}

/** User code may change its items; identical items of other nodes must remain unchanged. */
function codeScope({ scope }: CodeRequest): CodeRequest['scope'] {
  const usedIndexes = new Set(scope.nodes.flatMap(([, node]) => tableIndexesOf(node)));
  const table: GuestItem[] = [...scope.table];
  const items = scope.items.map((tableIndex, item) => {
    const original = table[tableIndex] as GuestItem;
    const own: CodeItem = { ...(usedIndexes.has(tableIndex) ? copyOf(original) : original), pairedItem: { item } };
    usedIndexes.add(tableIndex);
    return table.push(own) - 1;
  });
  return { ...scope, table, items };
}

/** Table positions of all items related to a node. */
function tableIndexesOf({ runs = [], paired = [] }: GuestNode): number[] {
  const tableIndexes = runs.flat().flatMap((tableIndexes) => tableIndexes ?? []);
  return [...tableIndexes, ...paired.filter((tableIndex) => typeof tableIndex === 'number')];
}

/** Returns the reply's members, without logs. Never rejects. */
async function runAll({ request, data, cursor, staticData, access }: Run): Promise<string> {
  const each = request.mode !== 'allItems';
  const count = each ? data.scope.itemCount : 1;
  let itemIndex = 0;
  try {
    const body = evaluateScript(`(async function () {\n${request.source}\n})`) as Body;
    const items = data.inputItems().slice(0, data.scope.itemCount);
    const resultOf = each && request.continueOnFail ? valueOrFailure : returnedBy;
    let values = '';
    for (; itemIndex < count; itemIndex += 1) {
      enterItem(data, cursor, itemIndex);
      const current = each ? items[itemIndex] : undefined;
      defineAll({ ...access.functionsFor(current), ...variables(request.mode, items, itemIndex) });
      const call = callFor(request.mode, body, current);
      const value = await resultOf(call, itemIndex);
      values += itemIndex === 0 ? value : `,${value}`;
      if (values.length > request.maxOutputLength) return failed({ message: 'the code returned too much data', tooMuch: true });
    }
    return `"values":[${values}],"customData":${stringify(data.customData.changes() ?? null)},"staticData":${staticData.changes() ?? 'null'}`;
  } catch (error) {
    return failed(failureOf(error, each ? itemIndex : undefined));
  }
}

type Body = () => Promise<unknown>;

/**
 * Calls the code. The code of a Function Item returns its item's JSON, and changes the files with
 * functions.
 */
function callFor(mode: CodeRequest['mode'], body: Body, item: GuestItem | undefined): Body {
  if (mode !== 'functionItem') return () => body.call(globalThis);
  return async () => ({ json: await body.call(globalThis), binary: item?.binary });
}

/** JSON text of an array with the returned value; an empty array for undefined. */
async function returnedBy(call: Body): Promise<string> {
  return `[${stringify(await call()) ?? ''}]`;
}

/**
 * Same as `returnedBy`, or JSON text of the failure. Missing data and exhausted memory are not
 * failures of one item.
 */
async function valueOrFailure(call: Body, itemIndex: number): Promise<string> {
  try {
    return await returnedBy(call);
  } catch (error) {
    const failure = failureOf(error, itemIndex);
    if (needs.length > 0 || failure.outOfMemory) throw error;
    return stringify(failure);
  }
}

/** The names that differ between modes. */
function variables(mode: CodeRequest['mode'], items: GuestItem[], itemIndex: number): Record<string, unknown> {
  switch (mode) {
    case 'eachItem':
      return { item: items[itemIndex] };
    case 'functionItem':
      return { item: items[itemIndex]?.json, index: itemIndex };
    default:
      return { items };
  }
}

function failed(failure: GuestCodeFailure): string {
  return `"failure":${stringify(failure)}`;
}

function failureOf(error: unknown, itemIndex: number | undefined): GuestCodeFailure {
  const failure: GuestCodeFailure = { message: messageOf(error) };
  const line = lineOf(error);
  if (line !== undefined) failure.line = line;
  if (itemIndex !== undefined) failure.itemIndex = itemIndex;
  if (failure.message === outOfMemory) failure.outOfMemory = true;
  return failure;
}

/** User code is the only script without a file name; its first line is added here. */
function lineOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const match = /<input>:(\d+)/.exec(error.stack);
  const line = match ? Number(match[1]) - 1 : 0;
  return line > 0 ? line : undefined;
}
