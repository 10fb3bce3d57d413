import { createHash } from 'node:crypto';
import type { JsonValue, ListenTrigger, PollTrigger, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import { type NodeType, pollRules } from '@sluice/node-sdk';

/** A node whose type may poll or listen, with its parameters at hand. */
export interface SourceNode {
  type: NodeType;
  node: WorkflowNode;
  typeVersion: number;
  settings: WorkflowSettings | undefined;
  /** What `pollTimes` holds, resolved. */
  pollTimes: JsonValue | undefined;
}

/** What a node does while its workflow is active, if its type polls or listens. Throws as `pollRules`. */
export function sourceSpecs({ type, node, typeVersion, settings, pollTimes }: SourceNode): (PollTrigger | ListenTrigger)[] {
  if (!type.poll && !type.trigger) return [];
  const fingerprint = fingerprintOf(node, typeVersion);
  if (!type.poll) return [{ kind: 'listen', fingerprint }];
  const timezone = settings?.timezone;
  const zone = typeof timezone === 'string' && timezone !== '' && timezone !== 'DEFAULT' ? { timezone } : {};
  return [{ kind: 'poll', rules: pollRules(pollTimes), ...zone, fingerprint }];
}

/** The same for nodes that look at the same thing in the same way; how often they do is another matter. */
function fingerprintOf({ type, parameters, credentials = {} }: WorkflowNode, typeVersion: number): string {
  const { pollTimes: _, ...seen } = parameters;
  const ids = Object.entries(credentials).map(([name, credential]) => [name, credential?.id ?? null]);
  return createHash('sha256')
    .update(canonical([type, typeVersion, seen, ids]))
    .digest('base64url');
}

/** JSON whose members are in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
