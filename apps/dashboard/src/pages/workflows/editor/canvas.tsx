import {
  applyNodeChanges,
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  type FitViewOptions,
  type Edge as FlowEdge,
  type Node as FlowNode,
  MarkerType,
  type NodeChange,
  ReactFlow,
} from '@xyflow/react';
import { type Edge, edgeId, edgesOf } from '../../../data/edges.ts';
import '../../../ui/react-flow.css';
import { memo, useMemo, useState } from 'react';
import type { NodeType } from '../../../data/node-types.ts';
import { isNarrow } from '../../../ui/narrow.ts';
import { largeGraph } from '../../../ui/placed-handles.ts';
import { useMeasuredNodes } from '../../../ui/use-measured-nodes.ts';
import type { Draft, Point } from '../model/graph.ts';
import { portsOf, usedPorts } from '../model/ports.ts';
import { CanvasNode, type CanvasNodeData } from './canvas-node.tsx';
import { FollowNode } from './follow-node.tsx';
import { asMeasured } from './node-size.ts';

export interface NodeMark {
  tone: string;
  text: string;
}

interface CanvasProps {
  draft: Pick<Draft, 'nodes' | 'connections' | 'pinData'>;
  types: ReadonlyMap<string, NodeType>;
  selected: readonly string[];
  onSelect(names: readonly string[]): void;
  /** A node's last result or change. */
  marks?: ReadonlyMap<string, NodeMark> | undefined;
  /** Keys of connections → tone. */
  edgeTones?: ReadonlyMap<string, string> | undefined;
  /** Absent: the graph is read-only. */
  edit?: CanvasEdit | undefined;
}

export interface CanvasEdit {
  onMove(places: ReadonlyMap<string, Point>): void;
  onConnect(edge: Edge): void;
  onDelete(names: readonly string[], edges: readonly Edge[]): void;
  /** The user wants a node after an output. */
  onAddAfter(node: string, output: number): void;
  /** The user wants a sub-node of a connection type. */
  onAddSub(node: string, type: string): void;
}

type CanvasFlowNode = FlowNode<CanvasNodeData>;
const nodeTypes = { node: memo(CanvasNode) };
/**
 * A constant: with a new list, React Flow would subscribe again, miss the release of a key, and
 * ignore the next key.
 */
const deleteKeys = ['Delete', 'Backspace'];

/** A workflow as a graph. With `edit`, nodes are moved, connected, and deleted, also by key. */
export function Canvas({ draft, types, selected, onSelect, marks, edgeTones, edit }: CanvasProps) {
  const flowNodes = useFlowNodes({ draft, types, selected, marks, edit });
  const [nodes, setNodes] = useMeasuredNodes(flowNodes);
  const [selectedEdges, selectEdges] = useState<readonly string[]>([]);
  const edges = useFlowEdges(draft.connections, selectedEdges, edgeTones);
  const onNodesChange = (changes: NodeChange<CanvasFlowNode>[]) => {
    const updates = changes.filter(({ type }) => type !== 'remove');
    setNodes((before) => applyNodeChanges(updates, before));
    const places = settledPlaces(updates, draft);
    if (places.size > 0) edit?.onMove(places);
    const selection = selectionAfter(updates, selected);
    if (selection) onSelect(selection);
  };
  const onEdgesChange = (changes: EdgeChange[]) => {
    const selection = selectionAfter(changes, selectedEdges);
    if (selection) selectEdges(selection);
  };
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      isValidConnection={({ sourceHandle, targetHandle }) => subTypeOf(sourceHandle) === subTypeOf(targetHandle)}
      onConnect={(connection) => edit?.onConnect(toEdge(connection))}
      onConnectEnd={(_event, { isValid, fromNode, fromHandle }) => {
        if (isValid || !fromNode || !fromHandle) return;
        const sub = subTypeOf(fromHandle.id);
        if (fromHandle.type === 'target' && sub) edit?.onAddSub(fromNode.id, sub);
        if (fromHandle.type === 'source' && !sub) edit?.onAddAfter(fromNode.id, Number(fromHandle.id));
      }}
      onDelete={({ nodes: deletedNodes, edges: deletedEdges }) =>
        edit?.onDelete(
          deletedNodes.map(({ id }) => id),
          deletedEdges.flatMap(edgeOfFlow),
        )
      }
      nodesDraggable={edit !== undefined}
      nodesConnectable={edit !== undefined}
      deleteKeyCode={edit ? deleteKeys : null}
      edgesFocusable={edit !== undefined}
      onlyRenderVisibleElements={nodes.length > largeGraph}
      minZoom={0.05}
      maxZoom={1.8}
      fitView
      fitViewOptions={openingView(draft.nodes)}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={20} size={1} />
      <Controls showInteractive={false} />
      <FollowNode name={selected.length === 1 ? selected[0] : undefined} />
    </ReactFlow>
  );
}

/** The whole graph. On a phone, and in a large graph, the first nodes: names stay readable. */
function openingView(nodes: Draft['nodes']): FitViewOptions {
  if (!isNarrow() && nodes.length <= largeGraph) return { maxZoom: 1, padding: 0.2 };
  const first = nodes.toSorted((a, b) => (a.position[0] ?? 0) - (b.position[0] ?? 0)).slice(0, 2);
  return { nodes: first.map(({ name }) => ({ id: name })), maxZoom: 0.8 };
}

function useFlowNodes({ draft, types, selected, marks, edit }: Omit<CanvasProps, 'onSelect'>): CanvasFlowNode[] {
  const { onAddAfter, onAddSub } = edit ?? {};
  return useMemo(() => {
    const used = usedPorts(edgesOf(draft.connections));
    const isLarge = draft.nodes.length > largeGraph;
    return draft.nodes.map((node) => {
      const ports = portsOf(node, types.get(node.type), used.get(node.name));
      const mark = marks?.get(node.name);
      const [x = 0, y = 0] = node.position;
      return {
        id: node.name,
        type: 'node',
        position: { x, y },
        ...(isLarge && asMeasured(ports)),
        selected: selected.includes(node.name),
        ariaLabel: `${node.name}${mark ? `: ${mark.text}` : ''}`,
        data: {
          node,
          ports,
          typeName: types.get(node.type)?.displayName ?? node.type,
          mark,
          isPinned: Object.hasOwn(draft.pinData, node.name),
          onAddAfter,
          onAddSub,
        },
      };
    });
  }, [draft, types, selected, marks, onAddAfter, onAddSub]);
}

function useFlowEdges(
  connections: Draft['connections'],
  selected: readonly string[],
  tones: ReadonlyMap<string, string> | undefined,
): FlowEdge[] {
  return useMemo(
    () =>
      edgesOf(connections).map((edge) => {
        const id = edgeId(edge);
        const tone = tones?.get(id);
        const isSub = edge.type !== 'main';
        const color = tone ? `var(--${tone})` : 'var(--border-strong)';
        return {
          id,
          source: edge.source,
          target: edge.target,
          sourceHandle: isSub ? edge.type : `${edge.output}`,
          targetHandle: isSub ? edge.type : `${edge.input}`,
          className: isSub ? 'sub-edge' : '',
          selected: selected.includes(id),
          data: { edge },
          interactionWidth: 16,
          ariaLabel: `Connection from ${edge.source} to ${edge.target}`,
          ...(tone && { style: { stroke: color, strokeWidth: 2, ...(tone === 'error' && { strokeDasharray: '6 4' }) } }),
          ...(!isSub && { markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color } }),
        };
      }),
    [connections, selected, tones],
  );
}

/** Final positions of moved nodes, after a drag or an arrow key. */
function settledPlaces(changes: readonly NodeChange<CanvasFlowNode>[], { nodes }: Pick<Draft, 'nodes'>): Map<string, Point> {
  const before = new Map(nodes.map(({ name, position: [x = 0, y = 0] }) => [name, { x, y }]));
  const places = new Map<string, Point>();
  for (const change of changes) {
    if (change.type !== 'position' || change.dragging || !change.position) continue;
    const old = before.get(change.id);
    const { x, y } = change.position;
    if (old && (Math.round(x) !== Math.round(old.x) || Math.round(y) !== Math.round(old.y))) places.set(change.id, { x, y });
  }
  return places;
}

/** The selection after these changes; `undefined` if it does not change. */
function selectionAfter(
  changes: readonly (NodeChange<CanvasFlowNode> | EdgeChange)[],
  selected: readonly string[],
): string[] | undefined {
  const names = new Set(selected);
  let isChanged = false;
  for (const change of changes) {
    if (change.type !== 'select' || change.selected === names.has(change.id)) continue;
    isChanged = true;
    if (change.selected) names.add(change.id);
    else names.delete(change.id);
  }
  return isChanged ? [...names] : undefined;
}

/** The connection type of a handle for sub-nodes. */
function subTypeOf(handle: string | null | undefined): string | undefined {
  return handle?.startsWith('ai_') ? handle : undefined;
}

function toEdge({ source, target, sourceHandle, targetHandle }: Connection): Edge {
  const sub = subTypeOf(sourceHandle);
  if (sub) return { source, type: sub, output: 0, target, input: 0 };
  return { source, type: 'main', output: Number(sourceHandle ?? 0), target, input: Number(targetHandle ?? 0) };
}

function edgeOfFlow({ data }: FlowEdge): Edge[] {
  return data?.['edge'] ? [data['edge'] as Edge] : [];
}
