import {
  type ExecuteContext,
  isAppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonLength,
  NodeOperationError,
  ownProperty,
  TimeSlice,
} from '@sluice/node-sdk';
import { hasExpression } from '../shared/has-expression.ts';

/*
 * A node run's parameters as data, so that a thread can read them without the engine: for each item
 * and each name, the resolved value, or the failure of an expression in it.
 */

/**
 * A value; an object whose members failed in part; or an index into the list of failures. Absent:
 * no value.
 */
interface Snapshot {
  value?: JsonValue;
  members?: [string, Snapshot][];
  failure?: number;
}

export interface ParameterSnapshots {
  /** The same for every item. */
  shared: [string, Snapshot][];
  /** Per item. */
  own: [string, Snapshot][][];
}

/**
 * Maximum number of parameter characters that may be sent to a thread. A string counts for each
 * parameter and item that has it, although the engine stores it once: the thread receives copies.
 * If a single large text exceeds a thread's heap, the whole process ends, not just the thread.
 */
export const maxThreadCharacters = 48 * 1024 * 1024;

/**
 * Snapshots for all items of input 0, or at least one snapshot; and the errors that they refer to.
 * Taken in time slices. Throws `NodeOperationError` for parameters that are too large for a thread.
 */
export async function takeSnapshots(
  context: ExecuteContext,
  names: readonly string[],
): Promise<{ snapshots: ParameterSnapshots; failures: unknown[] }> {
  const failures: unknown[] = [];
  const slice = new TimeSlice();
  let length = 0;
  const isShared = (name: string) => !hasExpression(context.node.parameters[name]);
  const take = (name: string, itemIndex: number): [string, Snapshot] => [
    name,
    snapshotOf(context, name, context.node.parameters[name], itemIndex, failures),
  ];
  const takeAll = (some: readonly string[], itemIndex: number) => {
    const snapshots = some.map((name) => take(name, itemIndex));
    length += jsonLength(snapshots, maxThreadCharacters);
    if (length > maxThreadCharacters) throw tooLarge(itemIndex);
    return snapshots;
  };
  const [shared, varying] = [names.filter(isShared), names.filter((name) => !isShared(name))];
  const own: [string, Snapshot][][] = [];
  const count = varying.length === 0 ? 0 : Math.max(1, context.items().length);
  for (let itemIndex = 0; itemIndex < count; itemIndex++) {
    own.push(takeAll(varying, itemIndex));
    if (slice.isOver) await slice.next();
  }
  return { snapshots: { shared: takeAll(shared, 0), own }, failures };
}

function tooLarge(itemIndex: number): NodeOperationError {
  return new NodeOperationError('the node’s parameters contain too much data', {
    itemIndex,
    description: 'Reference large strings in fewer parameters, or give the node fewer items',
  });
}

function snapshotOf(
  context: ExecuteContext,
  path: string,
  written: JsonValue | undefined,
  itemIndex: number,
  failures: unknown[],
): Snapshot {
  try {
    const value = context.parameter<JsonValue | (undefined & JsonValue)>(path, itemIndex);
    return value === undefined ? {} : { value };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const failure = failures.push(error) - 1;
    if (typeof written !== 'object' || written === null) return { failure };
    const members = Object.entries(written).map(([key, member]): [string, Snapshot] => [
      key,
      snapshotOf(context, `${path}.${key}`, member, itemIndex, failures),
    ]);
    return { members, failure };
  }
}

/**
 * Reads a dotted path. `undefined` if there is no value; throws `failed(failure)` for a failure at
 * or below the path.
 */
export function readSnapshot(
  snapshots: ParameterSnapshots,
  path: string,
  itemIndex: number,
  failed: (index: number) => unknown,
): JsonValue | undefined {
  const [name = '', ...rest] = path.split('.');
  const snapshotIn = (entries: readonly [string, Snapshot][] = []) => entries.find(([key]) => key === name)?.[1];
  let snapshot: Snapshot | undefined = snapshotIn(snapshots.own[itemIndex]) ?? snapshotIn(snapshots.shared);
  while (snapshot?.members && rest.length > 0) {
    const key = rest.shift();
    snapshot = snapshot.members.find(([member]) => member === key)?.[1];
  }
  if (!snapshot) return undefined;
  if (snapshot.failure !== undefined) throw failed(snapshot.failure);
  return rest.reduce<JsonValue | undefined>(memberOf, snapshot.value);
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) || Array.isArray(value) ? ownProperty(value as JsonObject, key) : undefined;
}
