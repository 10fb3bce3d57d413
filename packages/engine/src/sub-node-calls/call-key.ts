import { createHash } from 'node:crypto';
import { type Item, stringifyJson, type WorkflowNode } from '@sluice/domain';
import type { CallRoot, SubNodeCall } from './sub-node-call.ts';

const definitions = new WeakMap<Readonly<WorkflowNode>, string>();
const origins = new WeakMap<Readonly<Item>, Promise<string>>();

/** Returns JSON as recorded and as later attempts read it: without secrets. */
type AsRecorded = (json: string) => string | Promise<string>;

/**
 * Identifies the origin of a call: the run's try or the call that makes it, the item, the
 * sub-node's definition, and the method. Calls with one key differ only in their input and order.
 * Equal in every attempt and retry, unless the item or the sub-node has changed: parameters of the
 * sub-node are resolved over the item, so another item may yield another result.
 */
export async function callKey(
  { root, item, origin, definition, type, method, tool }: SubNodeCall,
  within: string | undefined,
  asRecorded: AsRecorded,
): Promise<string> {
  const caller = [within ?? rootOf(root), item, origin && (await originOf(origin, asRecorded))];
  // A model returns the same result whether it streams or not.
  return hashOf(JSON.stringify([caller, definitionOf(definition), type, method === 'stream' ? 'generate' : method, tool]));
}

/** Identifies a call among those with the same key: its input, and its order among equal calls. */
export function callPath(key: string, input: string, order: number): string {
  return hashOf(JSON.stringify([key, hashOf(input), order]));
}

/** The first try is not numbered: keys that earlier releases recorded stay valid. */
function rootOf({ nodeName, runIndex, tryNumber }: CallRoot): (string | number)[] {
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
