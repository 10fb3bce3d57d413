import { createHash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '@sluice/domain';
import type { ModelCall, TokenUsage } from '@sluice/node-sdk';
import type { ContextParts } from './context-parts.ts';

/** Maximum length of a request text that is recorded in full; longer texts are base64 files. */
const maxText = 100_000;

/** Output of the node run that records a call. */
interface Recorded<T> {
  answer: T;
  usage: TokenUsage;
}

/**
 * Implements `ExecuteContext.modelCall` for a model call that is recorded like a call of a sub-node.
 * There is no sub-node for the model, so the node run has its own name.
 */
export async function recordedModelCall<T>(
  { frame, task, inputs, scope, askedBy = [] }: ContextParts,
  { model, usageOf, send }: ModelCall<T>,
  { itemIndex, request }: NonNullable<ModelCall<T>['record']>,
): Promise<T> {
  const { node, type } = task.node;
  const call = {
    definition: { ...node, name: frame.graph.index.modelRunsOf(node.name) },
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
    signal: frame.request.signal,
  } as const;
  const { answer } = await frame.subRuns.call(call, async (): Promise<Recorded<T>> => {
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
