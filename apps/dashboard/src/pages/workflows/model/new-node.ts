import { edgesOf } from '../../../data/edges.ts';
import { randomId } from '../../../data/ids.ts';
import { isTrigger, latestVersion } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { addNode, connect, type Draft, freeName, freePlace, type GraphNode, type Point } from './graph.ts';
import { portsOf } from './ports.ts';

/** Pixels between the left edges of a node and its successor. */
const stepX = 240;
/** Pixels between sub-nodes, and below their node. */
const subStepX = 200;
const subStepY = 170;

/** Where a new node gets its items from. */
export interface Origin {
  node: string;
  output: number;
  /** Connection type by which the new node serves the other one, as its sub-node, instead. */
  sub?: string;
}

/** The last node without a successor, which a new step follows unless the user says otherwise. */
export function openEnd({ nodes, connections }: Draft, types: ReadonlyMap<string, NodeType>): Origin | undefined {
  const sources = new Set(edgesOf(connections).map(({ source }) => source));
  const end = nodes.findLast((node) => !sources.has(node.name) && portsOf(node, types.get(node.type)).outputs.length > 0);
  return end && { node: end.name, output: 0 };
}

/** Adds a node of a type, after its origin if it has one. Returns its name too. */
export function addNodeOfType(draft: Draft, type: NodeType, origin?: Origin): { draft: Draft; name: string } {
  const name = freeName(draft.nodes, String((type.defaults as { name?: string } | undefined)?.name ?? type.displayName));
  const place = freePlace(draft.nodes, isTrigger(type) ? lowest(draft) : (placeAt(draft, origin) ?? rightmost(draft)));
  const node: GraphNode = {
    id: randomId(),
    name,
    type: type.type,
    typeVersion: latestVersion(type),
    position: [Math.round(place.x), Math.round(place.y)],
    parameters: {},
    // The path of the URL, until the author chooses one.
    ...('webhooks' in type || /webhook|form/.test(type.name) ? { webhookId: randomId() } : {}),
  };
  const added = addNode(draft, node);
  if (origin?.sub !== undefined) {
    const edge = { source: name, type: origin.sub, output: 0, target: origin.node, input: 0 };
    return { draft: connect(added, edge), name };
  }
  if (!origin || isTrigger(type) || portsOf(node, type).inputs.length === 0) return { draft: added, name };
  const edge = { source: origin.node, type: 'main', output: origin.output, target: name, input: 0 };
  return { draft: connect(added, edge), name };
}

/** Below all nodes, in the column of the first: a further trigger. */
function lowest({ nodes }: Draft): Point {
  if (nodes.length === 0) return { x: 0, y: 0 };
  return { x: nodes[0]?.position[0] ?? 0, y: Math.max(...nodes.map(({ position: [, y = 0] }) => y)) + 120 };
}

/** To the right of all nodes, in the row of the first. */
function rightmost({ nodes }: Draft): Point {
  if (nodes.length === 0) return { x: 0, y: 0 };
  return { x: Math.max(...nodes.map(({ position: [x = 0] }) => x)) + stepX, y: nodes[0]?.position[1] ?? 0 };
}

/** After the origin, or below it next to its other sub-nodes. */
function placeAt({ nodes, connections }: Draft, origin: Origin | undefined): Point | undefined {
  const [x = 0, y = 0] = nodes.find(({ name }) => name === origin?.node)?.position ?? [];
  if (origin?.sub !== undefined) {
    const subs = edgesOf(connections).filter(({ target, type }) => target === origin.node && type !== 'main');
    const lefts = nodes
      .filter(({ name }) => subs.some(({ source }) => source === name))
      .map(({ position: [left = 0] }) => left);
    return { x: lefts.length === 0 ? x - subStepX / 2 : Math.max(...lefts) + subStepX, y: y + subStepY };
  }
  return origin && { x: x + stepX, y: y + origin.output * 100 };
}
