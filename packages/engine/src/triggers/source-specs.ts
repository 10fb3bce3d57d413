import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type JsonValue,
  jsonWeight,
  type ListenTrigger,
  type PollTrigger,
  type WorkflowNode,
  type WorkflowSettings,
} from '@sluice/domain';
import { NodeOperationError, type NodeType, pollRules } from '@sluice/node-sdk';

/** A node whose type may poll or listen, with its parameters. */
interface SourceNode {
  type: NodeType;
  node: WorkflowNode;
  typeVersion: number;
  settings: WorkflowSettings | undefined;
  /** The resolved `pollTimes` parameter. */
  pollTimes: JsonValue | undefined;
}

/**
 * Maximum number of values; each 64 characters of a string count as one value. Sorting 20,000
 * blocks the event loop for 0.1 s.
 */
const maxWeight = 20_000;

/**
 * The poll or listener of a node while its workflow is active; `undefined` if its type has neither.
 * Throws like `pollRules`, and throws `NodeOperationError` for parameters that are too large to be
 * compared.
 */
export function sourceSpecs({ type, node, typeVersion, settings, pollTimes }: SourceNode): (PollTrigger | ListenTrigger)[] {
  if (!type.poll && !type.trigger) return [];
  const fingerprint = fingerprintOf(node, typeVersion);
  if (!type.poll) return [{ kind: 'listen', fingerprint }];
  const timezone = settings?.timezone;
  const zone = typeof timezone === 'string' && timezone !== '' && timezone !== 'DEFAULT' ? { timezone } : {};
  return [{ kind: 'poll', rules: pollRules(pollTimes), ...zone, fingerprint }];
}

/** Equal for nodes that watch the same data in the same way. Ignores the poll interval. */
function fingerprintOf({ type, parameters, credentials = {} }: WorkflowNode, typeVersion: number): string {
  if (jsonWeight(parameters, maxWeight) > maxWeight)
    throw new NodeOperationError(
      `the parameters of a node that polls or listens are too large: ${maxWeight} values are allowed, or ${64 * maxWeight} characters`,
      { description: 'Watch fewer things with this node, or divide them among several nodes' },
    );
  const { pollTimes: _, ...seen } = parameters;
  const ids = Object.entries(credentials).map(([name, credential]) => [name, credential?.id ?? null]);
  return createHash('sha256')
    .update(canonicalJson([type, typeVersion, seen, ids]))
    .digest('base64url');
}
