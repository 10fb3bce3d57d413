import { useCallback, useContext, useRef } from 'react';
import { lastInput, lastOutput, pinnedItems } from '../model/run-data.ts';
import type { ExpressionData } from './complete-expression.ts';
import { PreviewScope } from './preview-context.ts';

/** A stable function that returns the data for completion in a node's expressions: pinned items, else those of the last run. */
export function useExpressionData(nodeName: string): () => ExpressionData {
  const scope = useContext(PreviewScope);
  const latest = useRef(scope);
  latest.current = scope;
  return useCallback(() => {
    const { current } = latest;
    if (!current) return { item: undefined, nodes: [] };
    const { draft, runData } = current;
    return {
      item: lastInput(draft, runData, nodeName)?.[0],
      nodes: draft.nodes
        .filter(({ name }) => name !== nodeName)
        .map(({ name }) => ({ name, item: (pinnedItems(draft, name) ?? lastOutput(runData, name))?.[0] })),
    };
  }, [nodeName]);
}
