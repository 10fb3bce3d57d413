import { createHash } from 'node:crypto';
import { type Item, stringifyJson, type WorkflowNode } from '@sluice/domain';
import type { Use, UseRoot } from './sub-runs.ts';

const definitions = new WeakMap<Readonly<WorkflowNode>, string>();
const origins = new WeakMap<Readonly<Item>, Promise<string>>();

/** Returns JSON as recorded and as later attempts read it: without secrets. */
type AsRecorded = (json: string) => string | Promise<string>;

/**
 * Identifies the place of a use: the run's try or the use that makes it, the item, the sub-node's
 * definition, and the method. Uses with one key differ only in their input and order. Equal in
 * every attempt and retry, unless the item or the sub-node has changed: parameters of the sub-node
 * are resolved over the item, so another item may yield another result.
 */
export async function useKey(
  { root, item, origin, definition, type, method, tool }: Use,
  within: string | undefined,
  asRecorded: AsRecorded,
): Promise<string> {
  const place = [within ?? rootOf(root), item, origin && (await originOf(origin, asRecorded))];
  // A model answers the same way whether it streams or not.
  return hashOf(JSON.stringify([place, definitionOf(definition), type, method === 'stream' ? 'generate' : method, tool]));
}

/** Identifies a use among the uses with its key, by its input and its order among equal uses. */
export function usePath(key: string, input: string, order: number): string {
  return hashOf(JSON.stringify([key, hashOf(input), order]));
}

/** The first try is not numbered: keys that earlier releases recorded stay valid. */
function rootOf({ nodeName, runIndex, tryNumber }: UseRoot): (string | number)[] {
  return [nodeName, runIndex, ...(tryNumber > 1 ? [tryNumber] : [])];
}

function originOf(item: Readonly<Item>, asRecorded: AsRecorded): Promise<string> {
  const origin = origins.get(item) ?? hashOfItem(item, asRecorded);
  origins.set(item, origin);
  return origin;
}

async function hashOfItem({ json, binary = {} }: Readonly<Item>, asRecorded: AsRecorded): Promise<string> {
  return hashOf(await asRecorded(await stringifyJson([json, binary])));
}

function definitionOf(node: Readonly<WorkflowNode>): string {
  const cached = definitions.get(node);
  if (cached !== undefined) return cached;
  const { name, type, typeVersion, parameters, credentials } = node;
  const hash = hashOf(JSON.stringify([name, type, typeVersion, parameters, credentials]));
  definitions.set(node, hash);
  return hash;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
