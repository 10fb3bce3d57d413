import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Pin, Plus } from 'lucide-react';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import { percentOf } from '../../../ui/placed-handles.ts';
import type { GraphNode } from '../model/graph.ts';
import type { Ports, SubPort } from '../model/ports.ts';
import type { NodeMark } from './canvas.tsx';
import { nodeSize } from './node-size.ts';

export type CanvasNodeData = {
  node: GraphNode;
  ports: Ports;
  typeName: string;
  mark: NodeMark | undefined;
  isPinned: boolean;
  onAddAfter: ((node: string, output: number) => void) | undefined;
  onAddSub: ((node: string, type: string) => void) | undefined;
};

/** A node of the graph: icon, name, type or last result, and its ports. */
export function CanvasNode({ data, selected }: NodeProps<Node<CanvasNodeData>>) {
  const { node, ports, typeName, mark, isPinned, onAddAfter, onAddSub } = data;
  const { width, height } = nodeSize(ports);
  return (
    <div
      className="flow-node"
      data-tone={mark?.tone}
      data-selected={selected}
      data-disabled={node.disabled ?? false}
      data-sub={ports.supplies.length > 0}
      style={{ minHeight: height, width }}
    >
      {ports.inputs.map((_port, index) => (
        <Handle
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs are known by their index
          key={index}
          type="target"
          id={`${index}`}
          position={Position.Left}
          style={{ top: percentOf(index, ports.inputs.length) }}
        />
      ))}
      {ports.supplies.map((type, index) => (
        <Handle
          key={type}
          type="source"
          id={type}
          position={Position.Top}
          style={{ left: percentOf(index, ports.supplies.length) }}
        />
      ))}
      <span className="flow-icon">
        <NodeIcon type={node.type} size={17} />
      </span>
      <div className="grow">
        <div className="flow-name truncate">{node.name}</div>
        <div className="flow-meta truncate">{mark?.text ?? (node.disabled ? 'disabled' : typeName)}</div>
      </div>
      {isPinned && <Pin className="canvas-pin" size={12} aria-label="has pinned data" />}
      {ports.subs.map((port, index) => (
        <SubPortView key={port.type} node={node.name} port={port} left={percentOf(index, ports.subs.length)} onAdd={onAddSub} />
      ))}
      {ports.outputs.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their index
        <div key={index} className="canvas-output" style={{ top: percentOf(index, ports.outputs.length) }}>
          <Handle type="source" id={`${index}`} position={Position.Right} />
          {label && <span className="canvas-port">{label}</span>}
          {onAddAfter && selected && (
            <button
              type="button"
              className="canvas-add nodrag nopan"
              aria-label={`Add a node after ${node.name}${label ? `, ${label}` : ''}`}
              onClick={() => onAddAfter(node.name, index)}
            >
              <Plus size={11} />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

interface SubPortProps {
  node: string;
  port: SubPort;
  left: string;
  onAdd: CanvasNodeData['onAddSub'];
}

/** Where models, tools, and other sub-nodes are attached, below their node. */
function SubPortView({ node, port: { type, label, required, hasCapacity }, left, onAdd }: SubPortProps) {
  return (
    <div className="canvas-sub" style={{ left }}>
      <Handle
        type="target"
        id={type}
        position={Position.Bottom}
        isConnectableStart={hasCapacity}
        isConnectableEnd={hasCapacity}
      />
      <span className="canvas-port">
        {label}
        {required && <span className="canvas-required"> *</span>}
      </span>
      {onAdd && hasCapacity && (
        <button
          type="button"
          className="canvas-add nodrag nopan"
          aria-label={`Add ${label} to ${node}`}
          onClick={() => onAdd(node, type)}
        >
          <Plus size={11} />
        </button>
      )}
    </div>
  );
}
