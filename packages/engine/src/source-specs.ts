import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type JsonValue,
  type ListenTrigger,
  type PollTrigger,
  type WorkflowNode,
  type WorkflowSettings,
} from '@sluice/domain';
import { type NodeType, pollRules } from '@sluice/node-sdk';

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
 * The poll or listener of a node while its workflow is active; `undefined` if its type has neither.
 * Throws as `pollRules`.
 */
export function sourceSpecs({ type, node, typeVersion, settings, pollTimes }: SourceNode): (PollTrigger | ListenTrigger)[] {
  if (!type.poll && !type.trigger) return [];
  const fingerprint = fingerprintOf(node, typeVersion);
  if (!type.poll) return [{ kind: 'listen', fingerprint }];
  const timezone = settings?.timezone;
  const zone = typeof timezone === 'string' && timezone !== '' && timezone !== 'DEFAULT' ? { timezone } : {};
  return [{ kind: 'poll', rules: pollRules(pollTimes), ...zone, fingerprint }];
}

/** Equal for nodes that watch the same data in the same way. The poll interval does not count. */
function fingerprintOf({ type, parameters, credentials = {} }: WorkflowNode, typeVersion: number): string {
  const { pollTimes: _, ...seen } = parameters;
  const ids = Object.entries(credentials).map(([name, credential]) => [name, credential?.id ?? null]);
  return createHash('sha256')
    .update(canonicalJson([type, typeVersion, seen, ids]))
    .digest('base64url');
}
