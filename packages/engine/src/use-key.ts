import { createHash } from 'node:crypto';
import type { WorkflowNode } from '@sluice/domain';
import type { Use } from './sub-runs.ts';

const definitions = new WeakMap<Readonly<WorkflowNode>, string>();

/**
 * Identifies the place of a use: the run or use that makes it, the item, the sub-node as it is
 * defined, and the method. Uses with one key differ only in their input and order. Equal in every
 * attempt and retry.
 */
export function useKey({ root, item, definition, type, method, tool }: Use, within: string | undefined): string {
  const place = within ?? [root.nodeName, root.runIndex];
  // A model answers the same way whether it streams or not.
  return hashOf(JSON.stringify([place, item, definitionOf(definition), type, method === 'stream' ? 'generate' : method, tool]));
}

/** Identifies a use among those of its key, by its input and its order among equal ones. */
export function usePath(key: string, input: string, order: number): string {
  return hashOf(JSON.stringify([key, hashOf(input), order]));
}

function definitionOf(node: Readonly<WorkflowNode>): string {
  const known = definitions.get(node);
  if (known !== undefined) return known;
  const { name, type, typeVersion, parameters, credentials } = node;
  const hash = hashOf(JSON.stringify([name, type, typeVersion, parameters, credentials]));
  definitions.set(node, hash);
  return hash;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
