import { isJsonObject, type JsonObject } from '@sluice/domain';
import { type ExecuteContext, type NodeHint, NodeOperationError } from '@sluice/node-sdk';
import { plainData } from '../plain-data.ts';

export function runNoteFunctions(context: Pick<ExecuteContext, 'addHints' | 'addRunMetadata'>) {
  return {
    addExecutionHints: (...hints: unknown[]) => context.addHints?.(...hints.flatMap(hintOf)),
    setMetadata: (metadata: unknown) => context.addRunMetadata?.(metadataOf(metadata)),
  };
}

function hintOf(given: unknown): NodeHint[] {
  const hint = plainData(given);
  return isJsonObject(hint) && typeof hint['message'] === 'string' ? [hint as unknown as NodeHint] : [];
}

function metadataOf(given: unknown): JsonObject {
  const metadata = plainData(given ?? {});
  if (isJsonObject(metadata)) return metadata;
  throw new NodeOperationError('setMetadata was called with what is no JSON object');
}
