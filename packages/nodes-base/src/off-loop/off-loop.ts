import {
  type ExecuteContext,
  failedItem,
  type Item,
  NodeOperationError,
  type NodeOutput,
  type NodeType,
  stringifyJson,
  TooManyMembersError,
} from '@sluice/node-sdk';
import { errorFields, errorOf } from '../threads/error-fields.ts';
import type { AskHost } from '../threads/thread-messages.ts';
import { runOnThread, ThreadError, taskModule } from '../threads/work-threads.ts';
import { isDivided, isLight, runsSql } from './is-light.ts';
import type { NodeRunEnd } from './node-message.ts';
import { loaders } from './node-types.ts';
import { takeSnapshots } from './parameter-snapshot.ts';

const module = taskModule('node-task', import.meta.url);

/**
 * The type, with runs that could block the event loop moved to a work thread. A run is not moved if
 * its cost, or the cost of each of its steps, is bounded. Types without a loader are returned
 * unchanged: they mostly wait for I/O, and divide their computations.
 */
export function offLoop(type: NodeType): NodeType {
  const { execute, description } = type;
  if (!execute || !Object.hasOwn(loaders, description.name)) return type;
  return {
    ...type,
    execute: async (context) => {
      if (isLight(type, context) || (await isDivided(type, context))) return execute.call(type, context);
      return runNodeOnThread(type, context);
    },
  };
}

async function runNodeOnThread(type: NodeType, context: ExecuteContext): Promise<NodeOutput> {
  const { node, typeVersion, workflow, execution, runIndex, continueOnFail } = context;
  const { inputCount, connectedInputs, isLegacyOrder } = context;
  const names = new Set([...type.description.properties.map(({ name }) => name), ...Object.keys(node.parameters)]);
  const { snapshots, failures } = await takeSnapshots(context, [...names]);
  const inputs = Array.from({ length: Math.max(1, inputCount) }, (_, input) =>
    context.hasInput(input) ? context.items(input) : null,
  );
  const [inputsJson, parametersJson] = [await stringifyJson(inputs), await stringifyJson(snapshots)];
  const message = {
    typeName: type.description.name,
    head: { node, typeVersion, workflow, execution, runIndex, continueOnFail, inputCount, connectedInputs, isLegacyOrder },
    hasHistory: context.history !== undefined,
    inputsJson,
    parametersJson,
    failures: failures.map(errorFields),
  };
  try {
    const parts = await runOnThread<unknown>(module, message, {
      owner: workflow,
      signal: context.signal,
      size: inputsJson.length + parametersJson.length,
      host: hostOf(context),
      once: runsSql(type, context),
    });
    return outputsOf(parts, failures);
  } catch (error) {
    if (!(error instanceof ThreadError || error instanceof TooManyMembersError)) throw error;
    throw new NodeOperationError(`the node cannot process its input: ${error.message}`, {
      description: 'Give the node fewer items or smaller strings, or simplify its patterns and selectors',
    });
  }
}

function outputsOf(parts: readonly unknown[], failures: readonly unknown[]): NodeOutput {
  const end = parts.at(-1) as NodeRunEnd;
  if ('failure' in end) throw failures[end.failure];
  if ('error' in end) throw errorOf(end.error);
  const outputs = parts.slice(0, -1) as NodeOutput;
  for (const [output, index] of end.failed) {
    const items = outputs[output] as Item[];
    const { json, pairedItem, ...rest } = items[index] as Item;
    // JSON cannot represent the mark of a failed item.
    items[index] = Object.assign(failedItem('', 0), { json, ...(pairedItem !== undefined && { pairedItem }), ...rest });
  }
  return outputs;
}

/** Requests that a run may send to its host. */
function hostOf(context: ExecuteContext): AskHost {
  const { binary, history, signal } = context;
  // Types of arguments are those of the methods: the thread runs code of this package only.
  // biome-ignore lint/suspicious/noExplicitAny: arguments of several methods
  const methods: Record<string, (...args: any[]) => Promise<unknown> | undefined> = {
    readBinary: (reference, maxBytes) => binary.read(reference, maxBytes),
    credentials: (type, itemIndex) => context.credentials(type, itemIndex),
    historyAdd: (scope, values, limit) => history?.add(scope, values, limit, signal),
    historyPassMark: (scope, mark, values) => history?.passMark(scope, mark, values, signal),
    historyClear: (scope) => history?.clear(scope, signal),
    addHints: async (...hints) => context.addHints?.(...hints),
  };
  return async (method, ...args) => methods[method]?.(...args);
}
