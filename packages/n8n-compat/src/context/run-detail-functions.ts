import { isJsonObject, type JsonObject } from '@sluice/domain';
import { type ExecuteContext, type NodeHint, NodeOperationError } from '@sluice/node-sdk';
import { isLight, plainData } from '../plain-data.ts';

export function runDetailFunctions(context: Pick<ExecuteContext, 'addHints' | 'addRunMetadata'>) {
  return {
    addExecutionHints: (...hints: unknown[]) => context.addHints?.(...hints.flatMap(hintOf)),
    setMetadata: (metadata: unknown) => context.addRunMetadata?.(metadataOf(metadata)),
  };
}

function hintOf(hints: unknown): NodeHint[] {
  const hint = isLight(hints) ? plainData(hints) : undefined;
  return isJsonObject(hint) && typeof hint['message'] === 'string' ? [hint as unknown as NodeHint] : [];
}

function metadataOf(value: unknown): JsonObject {
  if (!isLight(value)) throw new NodeOperationError('setMetadata was called with an object that is too large');
  const metadata = plainData(value ?? {});
  if (isJsonObject(metadata)) return metadata;
  throw new NodeOperationError('setMetadata was called with a value that is not a JSON object');
}
