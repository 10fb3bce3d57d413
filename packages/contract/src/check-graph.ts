import type { Connection, ValidationIssue, WorkflowGraph } from '@sluice/domain';
import { maxIssues } from './validator.ts';

/** Maximum number of connection types of one node. */
const maxTypes = 1_000;

/**
 * Maximum number of connections and outputs, per allowed node: their total bounds the cost of a
 * graph.
 */
const maxConnectionsPerNode = 20;

/**
 * Checks rules for graphs that a schema cannot express: node names are unique, and connections link
 * existing nodes. Cycles and unknown node types are allowed. Returns at most `maxIssues` issues.
 */
export function checkGraph(
  { nodes, connections }: Pick<WorkflowGraph, 'nodes' | 'connections'>,
  { maxNodes }: { maxNodes: number },
): ValidationIssue[] {
  if (nodes.length > maxNodes) return [{ path: '/nodes', message: `must not contain more than ${maxNodes} nodes` }];
  if (Object.keys(connections).length > maxNodes)
    return [{ path: '/connections', message: `must not name more than ${maxNodes} nodes` }];
  const maxConnections = maxNodes * maxConnectionsPerNode;
  if (weightOf(connections, maxConnections) > maxConnections)
    return [{ path: '/connections', message: `must not contain more than ${maxConnections} connections and outputs` }];
  const names = new Set(nodes.map((node) => node.name));
  const issues: ValidationIssue[] = [];
  for (const issue of problems({ nodes, connections }, names)) {
    if (issues.push(issue) === maxIssues) break;
  }
  return issues;
}

/** Number of connections, outputs, and connection types; stops counting above `most`. */
function weightOf(connections: WorkflowGraph['connections'], most: number): number {
  let weight = 0;
  for (const byType of Object.values(connections)) {
    const types = Object.values(byType);
    // Objects with very many keys are slow to read, and there are few types.
    if (types.length > maxTypes) return Number.POSITIVE_INFINITY;
    for (const outputs of types) {
      weight += 1 + outputs.length;
      for (const targets of outputs) weight += targets?.length ?? 0;
      if (weight > most) return weight;
    }
  }
  return weight;
}

type Graph = Pick<WorkflowGraph, 'nodes' | 'connections'>;

function* problems({ nodes, connections }: Graph, names: ReadonlySet<string>): Iterable<ValidationIssue> {
  yield* duplicateNames(nodes);
  for (const [source, byType] of Object.entries(connections)) {
    const path = `/connections/${pointerPart(source)}`;
    if (!names.has(source)) yield { path, message: 'no node has this name' };
    for (const [type, outputs] of Object.entries(byType))
      yield* danglingTargets(`${path}/${pointerPart(type)}`, outputs, names);
  }
}

function* danglingTargets(
  path: string,
  outputs: (Connection[] | null)[],
  names: ReadonlySet<string>,
): Iterable<ValidationIssue> {
  for (const [output, targets] of outputs.entries()) {
    for (const [i, target] of (targets ?? []).entries()) {
      if (!names.has(target.node)) yield { path: `${path}/${output}/${i}/node`, message: 'no node has this name' };
    }
  }
}

function* duplicateNames(nodes: Graph['nodes']): Iterable<ValidationIssue> {
  const seen = new Set<string>();
  for (const [i, { name }] of nodes.entries()) {
    if (seen.has(name)) yield { path: `/nodes/${i}/name`, message: 'another node has this name' };
    seen.add(name);
  }
}

/** A key as part of a JSON pointer. */
function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
