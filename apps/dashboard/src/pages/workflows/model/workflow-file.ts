import { parseExactJson } from '@sluice/node-sdk/display';
import { edgesOf } from '../../../data/edges.ts';
import { randomId } from '../../../data/ids.ts';
import {
  addNode,
  type Connections,
  connect,
  type Draft,
  freeName,
  type GraphNode,
  type PinData,
  withOwnAddress,
} from './graph.ts';
import { isObject } from './items.ts';

/** A workflow of a file, in the format of the API and of n8n. */
export interface WorkflowFile {
  name: string | undefined;
  nodes: GraphNode[];
  connections: Connections;
  settings: Draft['settings'];
  pinData: PinData;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a workflow, alone, as the only one of a list, or within an API response or a template. IDs,
 * tags, and the activation belong to the service that it comes from. Throws for other text.
 */
export function parseWorkflowFile(text: string): WorkflowFile {
  const workflow = findGraph(parseJson(text));
  if (!workflow) throw new Error('The JSON has no workflow: an object with “nodes” is expected.');
  const { name, nodes, connections, settings, pinData } = workflow;
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 128) : undefined,
    nodes: (nodes as unknown[]).map(toNode),
    connections: isObject(connections) ? (connections as Connections) : {},
    settings: isObject(settings) ? settings : {},
    pinData: isObject(pinData) ? (pinData as PinData) : {},
  };
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
}

function findGraph(value: unknown, depth = 0): JsonObject | undefined {
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every((one) => findGraph(one))) {
      throw new Error(`The JSON has ${value.length} workflows. “sluice workflows import” imports several at once.`);
    }
    return value.length === 1 ? findGraph(value[0], depth) : undefined;
  }
  if (!isObject(value)) return undefined;
  if (Array.isArray(value['nodes'])) return value;
  return depth > 2 ? undefined : findGraph(value['workflow'] ?? value['data'], depth + 1);
}

function toNode(value: unknown, index: number): GraphNode {
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['type'] !== 'string') {
    throw new Error(`Node ${index + 1} has no name or no type.`);
  }
  const { id, position, parameters } = value;
  return {
    ...value,
    id: typeof id === 'string' && id !== '' ? id : randomId(),
    position: Array.isArray(position) ? position : [index * 240, 0],
    parameters: isObject(parameters) ? parameters : {},
  } as GraphNode;
}

/** The chosen nodes with the connections between them, as text for the clipboard. */
export function toFileText({ nodes, connections }: Draft, names: readonly string[]): string {
  const copied = nodes.filter(({ name }) => names.includes(name));
  const draft: Draft = { name: '', nodes: copied, connections: {}, settings: {}, pinData: {} };
  const edges = edgesOf(connections).filter(({ source, target }) => names.includes(source) && names.includes(target));
  return JSON.stringify({ nodes: copied, connections: edges.reduce(connect, draft).connections }, null, 2);
}

/** Adds the nodes of a file below all others, with new IDs and free names. Returns the names. */
export function insertFile(draft: Draft, file: WorkflowFile): { draft: Draft; names: string[] } {
  const names = new Map<string, string>();
  const { x, y } = shiftOf(draft.nodes, file.nodes);
  let next = draft;
  for (const node of file.nodes) {
    const name = freeName(next.nodes, node.name);
    const [left = 0, top = 0] = node.position;
    names.set(node.name, name);
    next = addNode(next, { ...withOwnAddress(node), id: randomId(), name, position: [left + x, top + y] });
  }
  for (const edge of edgesOf(file.connections)) {
    const [source, target] = [names.get(edge.source), names.get(edge.target)];
    if (source && target) next = connect(next, { ...edge, source, target });
  }
  return { draft: next, names: [...names.values()] };
}

function shiftOf(present: readonly GraphNode[], added: readonly GraphNode[]): { x: number; y: number } {
  if (present.length === 0 || added.length === 0) return { x: 0, y: 0 };
  const xs = (nodes: readonly GraphNode[]) => nodes.map(({ position: [x = 0] }) => x);
  const ys = (nodes: readonly GraphNode[]) => nodes.map(({ position: [, y = 0] }) => y);
  return {
    x: Math.min(...xs(present)) - Math.min(...xs(added)),
    y: Math.max(...ys(present)) + 160 - Math.min(...ys(added)),
  };
}
