import { type JsonObject, type NodeRun, ownProperty, toErrorRecord } from '@sluice/domain';
import type { CapabilityType, TokenUsage } from '@sluice/node-sdk';
import type { AiUsage } from './ai-usage.ts';
import type { ActiveCall } from './call-tree.ts';
import { toRecorded, toRecordedJson } from './recorded-value.ts';
import type { SubNodeCall } from './sub-node-call.ts';

/** A call that has started. */
export interface StartedCall extends ActiveCall {
  readonly call: SubNodeCall;
  readonly startTime: number;
  readonly step: number;
}

export type EndedCall = { output: unknown } | { error: unknown };

/** The node run that records a call, and counts its usage. `source`: the run that made the call. */
export async function recordOf(
  { call, startTime, step, key, path, outer, subExecution }: StartedCall,
  ended: EndedCall,
  { usage, executionTime, source }: { usage: AiUsage; executionTime: number; source: NodeRun['source'][number] },
): Promise<NodeRun> {
  const { type, method, model, definition, root } = call;
  const tokens = 'output' in ended ? usageOf(ended.output) : undefined;
  const output = 'output' in ended ? toRecorded(ended.output, !isNotRepeatable(type)) : undefined;
  const metadata: JsonObject = {
    use: method,
    step,
    ...(model !== undefined && { model }),
    ...(tokens && { ...(await usage.add(model, tokens)) }),
    key,
    ...(path !== undefined && { path }),
    ...(subExecution && { subExecution }),
    ...(outer === undefined && { since: root.nowMs }),
    ...output?.marks,
  };
  return {
    startTime,
    executionTime,
    executionStatus: 'error' in ended ? 'error' : 'success',
    source: [source],
    inputOverride: { [type]: [[{ json: toRecordedJson(call.input) }]] },
    ...('error' in ended && { error: { ...toErrorRecord(ended.error), node: definition.name } }),
    ...(output && { data: { [type]: [[{ json: output.json }]] } }),
    metadata,
  };
}

/**
 * Whether the output of a call must be recorded in full: calls of models and tools must not be
 * repeated.
 */
function isNotRepeatable(type: CapabilityType): boolean {
  return type === 'ai_languageModel' || type === 'ai_tool';
}

function usageOf(output: unknown): TokenUsage | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const usage = ownProperty(output as JsonObject, 'usage');
  return typeof usage === 'object' && usage !== null ? (usage as TokenUsage) : undefined;
}
