import { createHash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '@sluice/domain';
import type { ModelCall, TokenUsage } from '@sluice/node-sdk';
import type { ContextParts } from './execution-context.ts';
import type { RunDetails } from './run-details.ts';

/** Maximum length of a request text that is recorded in full; longer texts are base64 files. */
const maxText = 100_000;

/** Output of the node run that records a call. */
interface Recorded<T> {
  answer: T;
  usage: TokenUsage;
}

/** Implements `ExecuteContext.modelCall`. */
export async function makeModelCall<T>(parts: ContextParts & { details: RunDetails }, call: ModelCall<T>): Promise<T> {
  if (call.record) return recordedModelCall(parts, call, call.record);
  const { aiUsage } = parts.execution;
  await aiUsage.start('modelCalls', parts.task.node.name);
  const result = await call.send();
  parts.details.addModelUsage(call.model, await aiUsage.add(call.model, call.usageOf(result)));
  return result;
}

/**
 * Records the call like a call of a sub-node. There is no sub-node for the model, so the node run
 * has its own name.
 */
async function recordedModelCall<T>(
  { execution, task, inputs, scope, askedBy = [] }: ContextParts,
  { model, usageOf, send }: ModelCall<T>,
  { itemIndex, request }: NonNullable<ModelCall<T>['record']>,
): Promise<T> {
  const { node, type } = task.node;
  const call = {
    definition: { ...node, name: execution.graph.index.modelRunsOf(node.name) },
    hasSubNodes: false,
    mayAct: type?.description.computesOnly !== true,
    type: 'ai_languageModel',
    method: 'generate',
    tool: undefined,
    input: shortened({ model, request }),
    parentName: node.name,
    root: { nodeName: askedBy[0] ?? node.name, ...scope.run },
    item: itemIndex,
    origin: inputs.items(0)[itemIndex],
    model,
    signal: execution.request.signal,
  } as const;
  const { answer } = await execution.subRuns.call(call, async (): Promise<Recorded<T>> => {
    const sent = await send();
    return { answer: sent, usage: usageOf(sent) };
  });
  return answer;
}

/** Replaces long strings by their hash, so that requests can still be compared. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (value.length <= maxText) return value;
    return { characters: value.length, sha256: createHash('sha256').update(value).digest('hex') };
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member as JsonValue)]));
}
