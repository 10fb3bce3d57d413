import { type Connections, GraphIndex, type WorkflowNode } from '@sluice/domain';
import type { ConnectionType } from '../connection-type.ts';
import { defaultVersionOf, nodeTypeOfVersion } from '../definition/versioned-node-type.ts';
import type { SubNodeInput } from '../description.ts';
import type { NodeType } from '../node-type.ts';
import { isDisplayed } from '../parameters/display-options.ts';
import { withDefaults } from '../parameters/with-defaults.ts';

/** A sub-node connection that a run would reject or ignore, or that is missing. */
export interface SubNodeProblem {
  code: 'MISSING_SUB_NODE' | 'TOO_MANY_SUB_NODES' | 'UNEXPECTED_SUB_NODE' | 'SUB_NODE_UNUSABLE';
  node: string;
  message: string;
}

interface Types {
  find(type: string): NodeType | undefined;
}

interface Graph {
  nodes: readonly WorkflowNode[];
  connections: Connections;
}

interface Implemented {
  node: WorkflowNode;
  type: NodeType;
  typeVersion: number;
}

/**
 * Compares the connections of sub-nodes with their types' descriptions. Disabled nodes, nodes of
 * unknown types, and types without `subNodes` in their description are not checked.
 */
export function subNodeProblems(graph: Graph, types: Types): SubNodeProblem[] {
  return [...subNodeProblemsByNode(graph, types)].flat();
}

/** Yields each node's problems in turn, so that a server can divide the work. */
export function* subNodeProblemsByNode({ nodes, connections }: Graph, types: Types): Generator<SubNodeProblem[]> {
  const index = new GraphIndex({ nodes: [...nodes], connections });
  for (const node of nodes) {
    const implementation = implemented(node, types);
    const inputs = implementation?.type.description.subNodes;
    yield implementation && inputs && !node.disabled ? problemsOf(implementation, inputs, index, types) : [];
  }
}

function implemented(node: WorkflowNode, types: Types): Implemented | undefined {
  const type = types.find(node.type);
  if (!type) return undefined;
  const typeVersion = node.typeVersion ?? defaultVersionOf(type.description);
  return { node, type: nodeTypeOfVersion(type, typeVersion), typeVersion };
}

function problemsOf(asker: Implemented, inputs: readonly SubNodeInput[], index: GraphIndex, types: Types): SubNodeProblem[] {
  const visibleInputs = shownInputs(asker, inputs);
  const { name } = asker.node;
  const attached = new Map(
    index.attachedTypes(name).map((type) => {
      const nodes = index.attached(name, type).flatMap((one) => index.nodes.get(one) ?? []);
      return [type, nodes.filter(({ disabled }) => !disabled)] as const;
    }),
  );
  return [
    ...visibleInputs.flatMap((input) => countProblem(name, input, attached.get(input.type)?.length ?? 0)),
    ...[...attached].flatMap(([type, nodes]) =>
      nodes.flatMap((node) => connectionProblem(name, type, node, visibleInputs, types)),
    ),
  ];
}

function shownInputs({ node, type, typeVersion }: Implemented, inputs: readonly SubNodeInput[]): SubNodeInput[] {
  const parameters = withDefaults(type.description.properties, node.parameters, typeVersion);
  return inputs.filter(({ displayOptions }) => isDisplayed(displayOptions, { siblings: parameters, parameters, typeVersion }));
}

function countProblem(
  node: string,
  { type, displayName = type, required, maxCount }: SubNodeInput,
  count: number,
): SubNodeProblem[] {
  if (required && count === 0) {
    const message = `no sub-node is connected to "${displayName}" (${type}), which the node needs`;
    return [{ code: 'MISSING_SUB_NODE', node, message }];
  }
  if (maxCount === undefined || count <= maxCount) return [];
  const message = `${count} sub-nodes are connected to "${displayName}" (${type}), which uses ${maxCount} at most`;
  return [{ code: 'TOO_MANY_SUB_NODES', node, message }];
}

function connectionProblem(
  asker: string,
  type: string,
  node: WorkflowNode,
  inputs: readonly SubNodeInput[],
  types: Types,
): SubNodeProblem[] {
  if (!inputs.some((input) => input.type === type)) {
    const message = `node "${asker}" uses no sub-node over ${type}, so this connection has no effect`;
    return [{ code: 'UNEXPECTED_SUB_NODE', node: node.name, message }];
  }
  const implementation = implemented(node, types);
  if (!implementation || outputsOf(implementation).includes(type as ConnectionType)) return [];
  const message = `the node supplies nothing over ${type}, which connects it to node "${asker}"`;
  return [{ code: 'SUB_NODE_UNUSABLE', node: node.name, message }];
}

function outputsOf({ node, type, typeVersion }: Implemented): readonly ConnectionType[] {
  return type.outputs?.(node.parameters, typeVersion) ?? type.description.outputs;
}
