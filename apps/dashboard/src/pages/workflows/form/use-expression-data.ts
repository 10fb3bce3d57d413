import { useCallback } from 'react';
import { firstJson, lastInput, lastOutput, pinnedItems } from '../model/run-data.ts';
import type { ExpressionData } from './complete-expression.ts';
import { usePreviewScope } from './preview-context.ts';

/** A stable function that returns the data for completion: pinned items, else the last run's. */
export function useExpressionData(nodeName: string): () => ExpressionData {
  const scope = usePreviewScope();
  return useCallback(() => {
    const { draft, runData } = scope.get();
    return {
      item: firstJson(lastInput(draft, runData, nodeName)),
      nodes: draft.nodes
        .filter(({ name }) => name !== nodeName)
        .map((node) => {
          const pinned = pinnedItems(draft, node.name);
          return { name: node.name, item: pinned ? pinned[0]?.json : firstJson(lastOutput(runData, node)) };
        }),
    };
  }, [scope, nodeName]);
}
