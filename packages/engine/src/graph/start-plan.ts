import type { TriggerStart } from '@sluice/domain';
import { InvalidStartError } from '../errors.ts';
import type { RunStart } from '../ports.ts';
import type { PreparedGraph, PreparedNode } from './prepared-graph.ts';

/** Where a run starts, and which nodes it may reach. */
export interface StartPlan {
  /** In walk order. */
  readonly starts: readonly PreparedNode[];
  /** The request that the only start node receives. */
  readonly called?: TriggerStart;
  /** Nodes that the walk may reach: after the starts and, with a destination, before it. */
  readonly reach: ReadonlySet<string>;
  /** The walk stops after this node. */
  readonly destination: string | undefined;
  /** The inputs that the walk can fill, for nodes with more than one incoming connection. */
  readonly fillable: ReadonlyMap<PreparedNode, ReadonlySet<number>>;
}

/** Plans of runs without a special start, which are most runs. */
const defaultPlans = new WeakMap<PreparedGraph, StartPlan>();

/**
 * Decides where a run starts (Contract 4.10): at the requested trigger; else the requested nodes;
 * else the manual trigger; else the first trigger in the array, an evaluation trigger last; else
 * all nodes without incoming connections. With a destination, only nodes that lead to it are
 * considered. Throws `InvalidStartError`.
 */
export function planStart(graph: PreparedGraph, start: RunStart): StartPlan {
  const isDefault = start.destinationNode === undefined && !start.startNodes?.length && !start.trigger;
  if (!isDefault) return makePlan(graph, start);
  const plan = defaultPlans.get(graph) ?? makePlan(graph, {});
  defaultPlans.set(graph, plan);
  return plan;
}

function makePlan(graph: PreparedGraph, { startNodes: requested, destinationNode, trigger }: RunStart): StartPlan {
  const startNodes = trigger ? [calledTrigger(graph, trigger)] : requested;
  if (destinationNode !== undefined) nodeOf(graph, destinationNode);
  const scope = new Set(destinationNode === undefined ? graph.nodes.keys() : graph.index.ancestorsOf([destinationNode]));
  const starts = startNodes?.length ? startNodes.map((name) => nodeOf(graph, name)) : defaultStarts(graph, scope);
  const excluded = starts.find(({ name }) => !scope.has(name));
  if (excluded)
    throw new InvalidStartError(`start node "${excluded.name}" does not lead to the destination "${destinationNode}"`);
  const reach = new Set([...graph.index.descendantsOf(starts.map(({ name }) => name))].filter((name) => scope.has(name)));
  return {
    starts: graph.inWalkOrder(new Set(starts)),
    reach,
    destination: destinationNode,
    fillable: inputsWithin(graph, reach),
    ...(trigger && { called: trigger }),
  };
}

/**
 * The trigger with the requested name or type. A workflow without such a trigger starts where a
 * manual run would.
 */
function calledTrigger(graph: PreparedGraph, called: TriggerStart): string {
  if ('node' in called) return called.node;
  const { type } = called;
  const enabled = [...graph.nodes.values()].filter(({ node }) => !node.disabled);
  const trigger = enabled.find((node) => node.type?.description.name === type);
  const start = trigger ?? (type === 'execute-workflow-trigger' ? enabled.find(isManualTrigger) : undefined);
  if (!start) throw new InvalidStartError(`the workflow has no node of type "${type}" to start from`);
  return start.name;
}

function nodeOf(graph: PreparedGraph, name: string): PreparedNode {
  const node = graph.nodes.get(name);
  if (!node) throw new InvalidStartError(`node "${name}" does not exist in the workflow`);
  return node;
}

function defaultStarts(graph: PreparedGraph, scope: ReadonlySet<string>): PreparedNode[] {
  const nodes = [...graph.nodes.values()].filter(({ name }) => scope.has(name));
  const enabled = nodes.filter(({ node }) => !node.disabled);
  const trigger = enabled.find(isManualTrigger) ?? firstTrigger(enabled);
  if (trigger) return [trigger];
  const isRoot = ({ name }: PreparedNode) => graph.index.incoming(name).length === 0 && !graph.index.isSubNode(name);
  const roots = nodes.filter((node) => isRoot(node) && !isStickyNote(node));
  return roots.length > 0 ? roots : nodes.slice(0, 1);
}

function isManualTrigger({ type }: PreparedNode): boolean {
  return type?.description.name === 'manual-trigger';
}

/**
 * A run does not evaluate the workflow unless it names the evaluation trigger, or there is no other
 * trigger.
 */
function firstTrigger(nodes: readonly PreparedNode[]): PreparedNode | undefined {
  const triggers = nodes.filter(isTrigger);
  return triggers.find(({ type }) => type?.description.name !== 'evaluation-trigger') ?? triggers[0];
}

function isTrigger({ node, type }: PreparedNode): boolean {
  return type ? type.description.group.includes('trigger') : /trigger$/i.test(node.type);
}

/** A sticky note, which workflow files store among the nodes. */
function isStickyNote({ node }: PreparedNode): boolean {
  return /sticky-?note$/i.test(node.type);
}

/** The inputs that the walk can fill, for nodes with more than one incoming connection. */
function inputsWithin(graph: PreparedGraph, reach: ReadonlySet<string>): Map<PreparedNode, Set<number>> {
  const inputs = new Map<PreparedNode, Set<number>>();
  for (const name of reach) {
    const node = graph.nodes.get(name);
    const incoming = graph.index.incoming(name);
    if (!node || incoming.length < 2) continue;
    inputs.set(node, new Set(incoming.filter((c) => reach.has(c.node)).map((c) => c.input)));
  }
  return inputs;
}
