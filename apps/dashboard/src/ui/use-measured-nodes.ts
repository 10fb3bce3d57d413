import { type Node, useNodesState } from '@xyflow/react';
import { useEffect } from 'react';

/** Nodes with the sizes that React Flow has measured: it hides others, and measures each once. */
export function useMeasuredNodes<T extends Node>(drawn: T[]) {
  const [nodes, setNodes] = useNodesState<T>(drawn);
  useEffect(() => {
    setNodes((before) => {
      const previous = new Map(before.map((node) => [node.id, node]));
      return drawn.map((node) => {
        const earlier = previous.get(node.id);
        return { ...earlier, ...node, ...(earlier?.measured && { measured: earlier.measured }) };
      });
    });
  }, [drawn, setNodes]);
  return [nodes, setNodes] as const;
}
