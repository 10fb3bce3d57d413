import { type NodeHandle, Position } from '@xyflow/react';

/** Handles in a row on a side of a node. */
interface HandleRow {
  ids: readonly string[];
  type: 'source' | 'target';
  position: Position;
}

export interface Size {
  width: number;
  height: number;
}

/**
 * A graph with more nodes is large: its handles are placed here and only nodes in view are
 * rendered, because rendering and measuring all of them takes seconds.
 */
export const largeGraph = 150;

/** Place of a handle along its side of a node, for the style. */
export const percentOf = (index: number, count: number) => `${((index + 1) / (count + 1)) * 100}%`;

/** Width of node borders in pixels; the style places handles within the border. */
const border = { left: 3, other: 1 };

/**
 * The handles of a node, placed as the style draws them. React Flow renders a node without known
 * handles to measure it, even out of view; with these handles, it renders only the nodes in view.
 */
export function placedHandles(rows: readonly HandleRow[], { width, height }: Size, handleSize: number): NodeHandle[] {
  const left = border.left;
  const right = width - border.other;
  const top = border.other;
  const bottom = height - border.other;
  return rows.flatMap(({ ids, type, position }) =>
    ids.map((id, index) => {
      const share = (index + 1) / (ids.length + 1);
      const isUpright = position === Position.Left || position === Position.Right;
      const x = isUpright ? (position === Position.Left ? left : right) : left + share * (right - left);
      const y = isUpright ? top + share * (bottom - top) : position === Position.Top ? top : bottom;
      return { id, type, position, x: x - handleSize / 2, y: y - handleSize / 2, width: handleSize, height: handleSize };
    }),
  );
}
