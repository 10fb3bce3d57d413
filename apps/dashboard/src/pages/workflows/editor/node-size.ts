import { type NodeHandle, Position } from '@xyflow/react';
import { placedHandles, type Size } from '../../../ui/placed-handles.ts';
import type { Ports } from '../model/ports.ts';

/** Pixels of a node, of each place for sub-nodes, and of a handle. */
const nodeWidth = 172;
const nodeHeight = 52;
const subWidth = 84;
const handleSize = 11;

/** Pixels of a node with these ports. */
export function nodeSize({ inputs, outputs, subs }: Ports): Size {
  const rows = Math.max(inputs.length, outputs.length);
  return { width: Math.max(nodeWidth, subs.length * subWidth), height: Math.max(nodeHeight, rows * 26 + 12) };
}

/** Size and handles of a node, as if React Flow had measured them. */
export function asMeasured(ports: Ports): { measured: Size; handles: NodeHandle[] } {
  const measured = nodeSize(ports);
  const handles = placedHandles(
    [
      { ids: ports.inputs.map((_, index) => `${index}`), type: 'target', position: Position.Left },
      { ids: ports.outputs.map((_, index) => `${index}`), type: 'source', position: Position.Right },
      { ids: ports.supplies, type: 'source', position: Position.Top },
      { ids: ports.subs.map(({ type }) => type), type: 'target', position: Position.Bottom },
    ],
    measured,
    handleSize,
  );
  return { measured, handles };
}
