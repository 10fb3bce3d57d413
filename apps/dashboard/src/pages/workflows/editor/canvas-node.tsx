import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Pin, Plus } from 'lucide-react';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import type { GraphNode } from '../model/graph.ts';
import type { Ports } from '../model/ports.ts';
import type { NodeMark } from './canvas.tsx';

export type CanvasNodeData = {
  node: GraphNode;
  ports: Ports;
  typeName: string;
  mark: NodeMark | undefined;
  isPinned: boolean;
  onAddAfter?: (node: string, output: number) => void;
};

/** A node of the graph: icon, name, type or last result, and its ports. */
export function CanvasNode({ data, selected }: NodeProps<Node<CanvasNodeData>>) {
  const { node, ports, typeName, mark, isPinned, onAddAfter } = data;
  const size = Math.max(ports.inputs.length, ports.outputs.length);
  return (
    <div
      className="canvas-node"
      data-tone={mark?.tone}
      data-selected={selected}
      data-disabled={node.disabled ?? false}
      style={{ minHeight: Math.max(52, size * 26 + 12) }}
    >
      {ports.inputs.map((_port, index) => (
        <Handle
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs are known by their index
          key={index}
          type="target"
          id={`${index}`}
          position={Position.Left}
          style={{ top: at(index, ports.inputs.length) }}
        />
      ))}
      <span className="canvas-icon">
        <NodeIcon type={node.type} size={17} />
      </span>
      <div className="grow">
        <div className="canvas-name truncate">{node.name}</div>
        <div className="canvas-meta truncate">{mark?.text ?? (node.disabled ? 'disabled' : typeName)}</div>
      </div>
      {isPinned && <Pin className="canvas-pin" size={12} aria-label="has pinned data" />}
      {ports.outputs.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their index
        <div key={index} className="canvas-output" style={{ top: at(index, ports.outputs.length) }}>
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

const at = (index: number, count: number) => `${((index + 1) / (count + 1)) * 100}%`;
