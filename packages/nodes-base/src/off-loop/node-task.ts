import {
  type BinaryReference,
  type ExecuteContext,
  type Item,
  isFailedItem,
  type JsonObject,
  type JsonValue,
  jsonLength,
  NodeOperationError,
  type NodeOutput,
  type SeenHistory,
} from '@sluice/node-sdk';
import { errorFields, errorOf } from '../threads/error-fields.ts';
import type { AskHost } from '../threads/thread-messages.ts';
import type { NodeRunEnd, NodeRunMessage } from './node-message.ts';
import { loaders } from './node-types.ts';
import { maxThreadCharacters, type ParameterSnapshots, readSnapshot } from './parameter-snapshot.ts';

/** A work thread's task: runs a node. Yields each output's items, and then how the run ended. */
export async function* task(message: NodeRunMessage, ask: AskHost): AsyncGenerator<unknown> {
  const failures = message.failures.map(errorOf);
  let outputs: NodeOutput;
  try {
    const type = await loaders[message.typeName]?.();
    outputs = (await type?.execute?.(threadContext(message, failures, ask))) ?? [];
  } catch (error) {
    yield endOf(error, failures);
    return;
  }
  if (jsonLength(outputs, maxThreadCharacters) > maxThreadCharacters) {
    yield { error: errorFields(tooLarge()) } satisfies NodeRunEnd;
    return;
  }
  yield* outputs;
  yield { failed: failedIn(outputs) } satisfies NodeRunEnd;
}

/** An error that the host keeps is identified by its index. */
function endOf(error: unknown, failures: readonly unknown[]): NodeRunEnd {
  const failure = failures.indexOf(error);
  return failure < 0 ? { error: errorFields(isTooLong(error) ? tooLarge() : error) } : { failure };
}

/** A string that is longer than the JavaScript engine allows. */
function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

function tooLarge(): NodeOperationError {
  return new NodeOperationError('the node returns too much data', {
    description: 'Give the node fewer items, or reference large strings in fewer of its parameters',
  });
}

function failedIn(outputs: NodeOutput): [number, number][] {
  return outputs.flatMap((items, output) =>
    (items ?? []).flatMap((item, index): [number, number][] => (isFailedItem(item) ? [[output, index]] : [])),
  );
}

/**
 * The part of a node's context that computing needs; everything else is refused. The signal never
 * fires: the host terminates the thread.
 */
function threadContext(
  { head, hasHistory, inputsJson, parametersJson }: NodeRunMessage,
  failures: readonly Error[],
  ask: AskHost,
): ExecuteContext {
  const inputs = JSON.parse(inputsJson) as (Item[] | null)[];
  const snapshots = JSON.parse(parametersJson) as ParameterSnapshots;
  const refusal = () => new Error('a node run on a thread has no access to this');
  const refuse = async (): Promise<never> => {
    throw refusal();
  };
  return {
    ...head,
    signal: new AbortController().signal,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    http: { request: refuse, stream: refuse, guard: { check: refuse, lookup: (_host, _options, done) => done(refusal(), []) } },
    connect: refuse,
    binary: {
      read: (reference: BinaryReference, maxBytes: number) => ask('readBinary', reference, maxBytes) as Promise<Uint8Array>,
      open: refuse,
      store: refuse,
    } as unknown as ExecuteContext['binary'],
    files: undefined,
    items: (input = 0) => inputs[input] ?? [],
    hasInput: (input) => (inputs[input] ?? null) !== null,
    itemsOfRun: () => [],
    parameter: <T extends JsonValue>(path: string, itemIndex: number, fallback?: T) => {
      const value = readSnapshot(snapshots, path, itemIndex, (index) => failures[index]);
      // Null is a value, as on the event loop.
      return (value === undefined ? fallback : value) as T;
    },
    evaluate: refuse,
    evaluateText: refuse,
    credentials: (type, itemIndex) => ask('credentials', type, itemIndex) as Promise<JsonObject>,
    authentication: refuse,
    hideSecret: () => {},
    nodeContext: undefined,
    setNodeContext: () => {},
    addHints: (...hints) => void ask('addHints', ...hints),
    ...(hasHistory && { history: askedHistory(ask) }),
    workflows: undefined,
    suspend: () => {},
    respond: undefined,
    subNodes: refuse,
    connected: refuse,
    runCode: refuse,
  };
}

function askedHistory(ask: AskHost): SeenHistory {
  return {
    add: (scope, values, limit) => ask('historyAdd', scope, values, limit) as Promise<boolean[]>,
    passMark: (scope, mark, values) => ask('historyPassMark', scope, mark, values) as Promise<boolean[]>,
    clear: async (scope) => void (await ask('historyClear', scope)),
  };
}
