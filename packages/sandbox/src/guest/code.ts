import type { CodeRequest, GuestCodeFailure, GuestItem } from '../protocol.ts';
import { createConsole } from './console.ts';
import { evaluateScript } from './evaluate-script.ts';
import { messageOf } from './failures.ts';
import { GuestData } from './guest-data.ts';
import { copyOf, stringify } from './json.ts';
import { type Cursor, defineAll, defineLanguage, enterItem } from './language.ts';

/** An item of input 0 as user code sees it. It knows its place, so that code which passes it on keeps the link to it. */
type CodeItem = GuestItem & { pairedItem: { item: number } };

/** One run of user code: it ends by setting `reply`, a `CodeReply` as JSON text. */
export interface CodeRun {
  reply: string | undefined;
}

/** Starts user code. It has ended when `reply` is set; until then, promises are pending. */
export function startCode(request: CodeRequest): CodeRun {
  const logs: string[] = [];
  const data = new GuestData(codeScope(request));
  const cursor: Cursor = { itemIndex: 0 };
  defineLanguage(data, cursor);
  defineAll({ console: createConsole(logs, request) });
  const run: CodeRun = { reply: undefined };
  void finish(run, request, data, cursor, logs);
  return run;
}

async function finish(run: CodeRun, request: CodeRequest, data: GuestData, cursor: Cursor, logs: string[]): Promise<void> {
  const outcome = await runAll(request, data, cursor);
  run.reply = data.needs.length > 0 ? `{"needs":${stringify(data.needs)}}` : `{${outcome},"logs":${stringify(logs)}}`;
}

/** User code may change its items; other nodes' items that are the same object must not change with them. */
function codeScope({ scope }: CodeRequest): CodeRequest['scope'] {
  const inputs = scope.items.map(
    (place, item): CodeItem => ({ ...copyOf(scope.table[place] as GuestItem), pairedItem: { item } }),
  );
  const table = [...inputs, ...scope.table];
  const shifted = (place: number) => place + inputs.length;
  return {
    ...scope,
    table,
    items: inputs.map((_, place) => place),
    nodes: scope.nodes.map(([name, node]) => [
      name,
      {
        ...node,
        ...(node.runs && { runs: node.runs.map((outputs) => outputs.map((places) => places?.map(shifted) ?? null)) }),
        ...(node.paired && { paired: node.paired.map((place) => (typeof place === 'number' ? shifted(place) : place)) }),
      },
    ]),
  };
}

/** Gives the members of the reply, without logs. Never rejects. */
async function runAll(request: CodeRequest, data: GuestData, cursor: Cursor): Promise<string> {
  const each = request.mode === 'eachItem';
  const count = each ? data.scope.items.length : 1;
  let itemIndex = 0;
  try {
    const body = evaluateScript(`(async function () {\n${request.source}\n})`) as () => Promise<unknown>;
    const items = data.inputItems();
    let values = '';
    for (; itemIndex < count; itemIndex += 1) {
      enterItem(data, cursor, itemIndex);
      defineAll(each ? { item: items[itemIndex] } : { items });
      const value = await body.call(globalThis);
      values += `${itemIndex === 0 ? '' : ','}[${stringify(value) ?? ''}]`;
      if (values.length > request.maxOutputLength) return failed({ message: 'the code returned too much data' });
    }
    return `"values":[${values}]`;
  } catch (error) {
    return failed(failureOf(error, each ? itemIndex : undefined));
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
  if (failure.message === 'InternalError: out of memory') failure.outOfMemory = true;
  return failure;
}

/** User code is the only script without a file name; its first line is ours. */
function lineOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const match = /<input>:(\d+)/.exec(error.stack);
  const line = match ? Number(match[1]) - 1 : 0;
  return line > 0 ? line : undefined;
}
