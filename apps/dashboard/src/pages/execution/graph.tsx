import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge as FlowEdge,
  Handle,
  MarkerType,
  type Node,
  type NodeHandle,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '../../ui/react-flow.css';
import { type KeyboardEvent, memo, useMemo } from 'react';
import type { Schemas } from '../../data/api.ts';
import { type Edge, edgeId } from '../../data/edges.ts';
import { ownValue } from '../../data/own-value.ts';
import type { RunData } from '../../data/run-data.ts';
import { counted, formatCount, formatDuration } from '../../ui/format.ts';
import { isNarrow } from '../../ui/narrow.ts';
import { NodeIcon } from '../../ui/node-icon.tsx';
import { largeGraph, percentOf, placedHandles } from '../../ui/placed-handles.ts';
import { useMeasuredNodes } from '../../ui/use-measured-nodes.ts';
import { type DrawnGraph, drawnEdges, layoutOf, nodeSize, subPortsOf } from './graph-layout.ts';
import { edgeItems, edgeKey, type NodeState, type NodeStatus } from './node-states.ts';

interface GraphProps {
  graph: DrawnGraph;
  states: ReadonlyMap<string, NodeState>;
  runData: RunData;
  selected: string | undefined;
  onSelect(name: string): void;
}

type NodeData = {
  node: Schemas['Node'];
  state: NodeState | undefined;
  outputs: number;
  /** Connection types of sub-nodes. */
  supplies: readonly string[];
  takes: readonly string[];
  selected: boolean;
};

/** Pixels, as in the style sheet. */
const handleSize = 7;

const nodeTypes = { run: memo(RunNode) };

/** The workflow as its author arranged it, with the results of each node and connection. */
export function Graph({ graph, states, runData, selected, onSelect }: GraphProps) {
  // A large graph opens at the chosen node, without item counts on its connections.
  const isLarge = graph.nodes.length > largeGraph;
  // On a phone, names in the whole graph are too small to read.
  const opensAtNode = isLarge || isNarrow();
  const drawn = useMemo<Node<NodeData>[]>(() => {
    const positions = layoutOf(graph.nodes);
    const subPorts = subPortsOf(drawnEdges(graph));
    return graph.nodes.map((node, index) => {
      const { supplies = [], takes = [] } = subPorts.get(node.name) ?? {};
      const outputs = ownValue(graph.connections, node.name)?.['main']?.length ?? (supplies.length > 0 ? 0 : 1);
      return {
        id: node.name,
        type: 'run',
        position: positions[index] ?? { x: 0, y: 0 },
        data: { node, state: states.get(node.name), outputs, supplies, takes, selected: node.name === selected },
        ariaRole: 'button',
        ...(isLarge && { measured: nodeSize, handles: handlesOf({ outputs, supplies, takes }) }),
      };
    });
  }, [graph, states, selected, isLarge]);
  const [nodes, setNodes] = useMeasuredNodes(drawn);
  const edges = useMemo<FlowEdge[]>(() => {
    const items = edgeItems(runData);
    return drawnEdges(graph).map((edge) => {
      const count = items.get(edgeKey(edge.source, edge.type, edge.output)) ?? 0;
      const isRunning = states.get(edge.type === 'main' ? edge.target : edge.source)?.status === 'running';
      return edge.type === 'main' ? mainEdge(edge, count, { isRunning, isLarge }) : subEdge(edge, count, isRunning);
    });
  }, [graph, runData, states, isLarge]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      onlyRenderVisibleElements={isLarge}
      minZoom={0.05}
      maxZoom={1.6}
      fitView
      fitViewOptions={opensAtNode && selected ? { nodes: [{ id: selected }], maxZoom: 0.8 } : { maxZoom: 1, padding: 0.12 }}
      onNodesChange={(changes) => setNodes((before) => applyNodeChanges(changes, before))}
      onNodeClick={(_event, { id }) => onSelect(id)}
      elementsSelectable={false}
      onKeyDown={(event) => {
        const name = nodeOf(event);
        if (name !== undefined) onSelect(name);
      }}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={20} size={1} />
      <Controls showInteractive={false} />
    </ReactFlow>
  );
}

/** @param count items that the last run sent */
function mainEdge(edge: Edge, count: number, { isRunning, isLarge }: { isRunning: boolean; isLarge: boolean }): FlowEdge {
  const { source, target, output } = edge;
  const isUsed = count > 0;
  return {
    id: edgeId(edge),
    source,
    target,
    sourceHandle: `${output}`,
    targetHandle: 'in',
    className: isUsed ? 'edge is-used' : 'edge',
    animated: isRunning,
    markerEnd: {
      type: MarkerType.ArrowClosed,
      width: 14,
      height: 14,
      color: isUsed ? 'var(--success)' : 'var(--border-strong)',
    },
    ...(isUsed && !isLarge && { label: formatCount(count), labelBgPadding: [5, 2], labelBgBorderRadius: 8 }),
  };
}

/** From a sub-node up to the node that it serves. */
function subEdge(edge: Edge, count: number, isRunning: boolean): FlowEdge {
  const { source, target, type } = edge;
  return {
    id: edgeId(edge),
    source,
    target,
    sourceHandle: type,
    targetHandle: type,
    className: count > 0 ? 'edge is-sub is-used' : 'edge is-sub',
    animated: isRunning,
  };
}

const statusTexts: Record<NodeStatus, string> = {
  success: 'succeeded',
  error: 'failed',
  running: 'running',
  waiting: 'waiting',
};

/** Name of the focused node at Enter or space, the keys of buttons. */
function nodeOf(event: KeyboardEvent): string | undefined {
  if (event.key !== 'Enter' && event.key !== ' ') return undefined;
  const node = (event.target as HTMLElement).closest<HTMLElement>('.react-flow__node');
  // Other buttons, which zoom, handle their keys themselves.
  if (node) event.preventDefault();
  return node?.dataset['id'];
}

function RunNode({ data: { node, state, outputs, supplies, takes, selected } }: NodeProps<Node<NodeData>>) {
  return (
    <div
      className="flow-node"
      data-tone={state?.status ?? 'none'}
      data-selected={selected}
      data-disabled={node.disabled ?? false}
      data-sub={supplies.length > 0}
    >
      {supplies.length === 0 && <Handle type="target" id="in" position={Position.Left} isConnectable={false} />}
      <SubHandles types={supplies} type="source" position={Position.Top} />
      <SubHandles types={takes} type="target" position={Position.Bottom} />
      <span className="flow-icon">
        <NodeIcon type={node.type} size={17} />
      </span>
      <div className="grow">
        <div className="flow-name truncate">
          {node.name}
          {state && <span className="sr-only">: {statusTexts[state.status]},</span>}
        </div>
        <div className="flow-meta truncate">
          {state ? <NodeFacts state={state} /> : node.disabled ? 'disabled' : 'did not run'}
        </div>
      </div>
      {Array.from({ length: outputs }, (_, index) => (
        <Handle
          // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their index
          key={index}
          type="source"
          id={`${index}`}
          position={Position.Right}
          isConnectable={false}
          style={{ top: percentOf(index, outputs) }}
        />
      ))}
    </div>
  );
}

function handlesOf({ outputs, supplies, takes }: Pick<NodeData, 'outputs' | 'supplies' | 'takes'>): NodeHandle[] {
  return placedHandles(
    [
      { ids: supplies.length === 0 ? ['in'] : [], type: 'target', position: Position.Left },
      { ids: Array.from({ length: outputs }, (_, index) => `${index}`), type: 'source', position: Position.Right },
      { ids: supplies, type: 'source', position: Position.Top },
      { ids: takes, type: 'target', position: Position.Bottom },
    ],
    nodeSize,
    handleSize,
  );
}

interface SubHandlesProps {
  types: readonly string[];
  type: 'source' | 'target';
  position: Position;
}

function SubHandles({ types, type, position }: SubHandlesProps) {
  return types.map((id, index) => (
    <Handle
      key={id}
      type={type}
      id={id}
      position={position}
      isConnectable={false}
      style={{ left: percentOf(index, types.length) }}
    />
  ));
}

function NodeFacts({ state: { status, durationMs, items, runs } }: { state: NodeState }) {
  if (status === 'running' || status === 'waiting') {
    return (
      <>
        {status}
        {runs > 1 && ` · run ${runs}`}
      </>
    );
  }
  return (
    <>
      {formatDuration(durationMs)} · {counted(items, 'item', formatCount)}
      {runs > 1 && ` · ${runs} runs`}
    </>
  );
}
