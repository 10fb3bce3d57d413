import { isJsonObject, type JsonObject, type JsonValue, mapSliced, TimeSlice } from '@sluice/domain';
import type { CompiledParameters, EvaluationScope } from '../api.ts';
import { customDataOf } from '../custom-data.ts';
import { maxOutputLength } from '../limits.ts';
import { describeFailure, hintFor } from '../outcome-messages.ts';
import type { ExpressionRequest, GuestFailure, GuestLeaf, GuestSlot } from '../protocol.ts';
import { evaluationCount, originOf } from '../scope/evaluation-scope.ts';
import { GuestScopeBuilder } from '../scope/guest-scope-builder.ts';
import type { GuestPool } from '../threads/guest-pool.ts';
import { runGuestRounds } from '../threads/guest-rounds.ts';
import { CompiledTree } from './compiled-tree.ts';
import { type LeafGroup, referencesOf } from './leaf-group.ts';
import type { BatchResults } from './resolved-tree.ts';

/** Range of the items for which a scope is evaluated. */
export function evaluatedItems(scope: EvaluationScope): { first: number; count: number } {
  return scope.onlyItem === undefined ? { first: 0, count: evaluationCount(scope) } : { first: scope.onlyItem, count: 1 };
}

/**
 * Evaluates expressions of a node for all its items in one guest call. Rejects with the signal's
 * reason.
 */
export async function resolveInGuest(
  { pool, timeoutMs }: { pool: GuestPool; timeoutMs: number },
  group: LeafGroup,
  scope: EvaluationScope,
  signal: AbortSignal,
): Promise<BatchResults> {
  const { leaves } = group;
  const collected = await readParameters(scope, group, signal);
  const references = collected.leaves.length > 0 ? referencesOf([...leaves, ...collected.leaves]) : group.references;
  const { first, count } = evaluatedItems(scope);
  const outcome = await runGuestRounds(pool, {
    run: 'expressions',
    image: references.image,
    origin: originOf(scope),
    leaves: [...leaves, ...collected.leaves],
    timeoutMs,
    builder: new GuestScopeBuilder(scope, references),
    requestFor: (guestScope): ExpressionRequest => ({
      scope: guestScope,
      leafCount: leaves.length,
      parameters: collected.own,
      nodeParameters: [...collected.nodes],
      firstItem: first,
      itemCount: count,
      maxOutputLength,
    }),
    signal,
  });
  if ('failure' in outcome) return failed(outcome.failure, timeoutMs);
  if (outcome.reply['overflow'] === true) return failed('output', timeoutMs);
  const slots = await slotsOf(outcome.reply, count, leaves.length);
  return slots ? { slots, customData: customDataOf(outcome.reply, scope.execution.customData) } : failed('broken', timeoutMs);
}

type ParameterLeaves = ExpressionRequest['parameters'];

/** Parameters that are expressions and that other expressions read. */
interface ReadParameters {
  /** They follow the leaves of the group. */
  leaves: GuestLeaf[];
  own: ParameterLeaves;
  /** Node name → its parameters. */
  nodes: Map<string, ParameterLeaves>;
}

/**
 * The parameters that the group reads, and those that these read in turn. Runs in time slices,
 * because a node may read those of all others, which are compiled then. Rejects with the signal's
 * reason.
 */
async function readParameters(
  scope: EvaluationScope,
  { leaves, references }: LeafGroup,
  signal: AbortSignal,
): Promise<ReadParameters> {
  const slice = new TimeSlice();
  const collected: ReadParameters = { leaves: [], own: [], nodes: new Map() };
  const add = (compiled: CompiledParameters | undefined): ParameterLeaves => {
    const expressions = compiled instanceof CompiledTree ? [...compiled.expressions] : [];
    return expressions.map(([name, leaf]) =>
      typeof leaf === 'string' ? [name, leaf] : [name, leaves.length + collected.leaves.push(leaf.guest) - 1],
    );
  };
  if (references.parameters) collected.own = add(scope.compiledParameters);
  const waiting = [...references.nodeParameters, ...nodesReadBy(collected.leaves)];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (collected.nodes.has(node)) continue;
    const before = collected.leaves.length;
    collected.nodes.set(node, add(scope.compiledParametersOf?.(node)));
    waiting.push(...nodesReadBy(collected.leaves.slice(before)));
    if (slice.isOver) await slice.next();
    signal.throwIfAborted();
  }
  return collected;
}

const nodesReadBy = (leaves: readonly GuestLeaf[]): readonly string[] =>
  leaves.length === 0 ? [] : referencesOf(leaves).nodeParameters;

function failed(failure: GuestFailure, timeoutMs: number): BatchResults {
  const message = `evaluating the expressions of this node ${describeFailure(failure, timeoutMs)}`;
  return { slots: [], failure: message, hint: hintFor(failure) };
}

/**
 * `undefined` unless there is one slot per leaf and item: user text may have tampered with the
 * reply.
 */
async function slotsOf({ slots }: JsonObject, itemCount: number, leafCount: number): Promise<GuestSlot[][] | undefined> {
  if (!Array.isArray(slots) || slots.length !== itemCount) return undefined;
  const complete = await mapSliced(slots, (row) => Array.isArray(row) && row.length === leafCount && row.every(isSlot));
  return complete.every(Boolean) ? (slots as unknown as GuestSlot[][]) : undefined;
}

function isSlot(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length <= 1;
  return isJsonObject(value) && typeof value['message'] === 'string';
}
