import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';

/** Milliseconds until the node's form is shown next to the graph. */
const settleMs = 80;
/** Pixels to keep free around the node, where its ports and buttons are. */
const margin = 48;

/** Moves the view to a node when it is chosen and not visible. */
export function FollowNode({ name }: { name: string | undefined }) {
  const { getNode, flowToScreenPosition, setCenter, getZoom } = useReactFlow();
  useEffect(() => {
    if (name === undefined) return;
    const timer = setTimeout(() => {
      const node = getNode(name);
      const pane = document.querySelector('.canvas .react-flow')?.getBoundingClientRect();
      if (!node || !pane) return;
      const { width = 172, height = 52 } = node.measured ?? {};
      const { x, y } = node.position;
      const [start, end] = [flowToScreenPosition({ x, y }), flowToScreenPosition({ x: x + width, y: y + height })];
      const isVisible =
        start.x > pane.left + margin &&
        end.x < pane.right - margin &&
        start.y > pane.top + margin &&
        end.y < pane.bottom - margin;
      if (!isVisible) void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [name, getNode, flowToScreenPosition, setCenter, getZoom]);
  return null;
}
