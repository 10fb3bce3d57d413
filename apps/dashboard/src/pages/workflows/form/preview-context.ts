import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, call, type Schemas } from '../../../data/api.ts';
import { numberOf } from '../../../data/ids.ts';
import type { RunData } from '../../../data/run-data.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { Draft } from '../model/graph.ts';
import { previewedName, previewedParameters } from '../model/previewed-parameters.ts';

interface PreviewContext {
  workflowId: string;
  /** Expressions read its data; absent: pinned data only. */
  executionId: string | undefined;
  draft: Draft;
  /** Data of that execution. */
  runData: RunData;
}

export const PreviewScope = createContext<PreviewContext | undefined>(undefined);

/** Milliseconds after the last key before an expression is evaluated. */
const pauseMs = 350;

type Preview = Schemas['ExpressionPreview']['expressions'][number];

/** The value of a node's expression, evaluated by the service; `undefined` until it is evaluated. */
export function usePreview(nodeName: string, expression: string): { preview: Preview | undefined; error: unknown } {
  const scope = useContext(PreviewScope);
  const settled = useSettled(scope ? JSON.stringify(previewedParameters(scope.draft, nodeName, expression)) : '', pauseMs);
  const { data, error } = useQuery({
    queryKey: ['workflows', scope?.workflowId, 'preview', scope?.executionId, scope && inputOf(scope.draft), nodeName, settled],
    queryFn: ({ signal }) => evaluate(scope as PreviewContext, nodeName, settled, signal),
    enabled: settled !== '' && expression.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return { preview: data?.expressions.find(({ path }) => path === previewedName), error };
}

/** The parts of a draft that decide which items reach a node. An edit that keeps a part keeps its number. */
function inputOf({ pinData, connections }: Draft): readonly number[] {
  return [numberOf(pinData), numberOf(connections)];
}

function evaluate(
  { workflowId, executionId, draft }: PreviewContext,
  nodeName: string,
  parameters: string,
  signal: AbortSignal,
) {
  const { name, nodes, connections, settings, pinData } = draft;
  return call(
    api.POST('/workflows/{id}/expressions', {
      params: { path: { id: workflowId } },
      body: {
        nodeName,
        parameters: JSON.parse(parameters),
        itemIndex: 0,
        ...(executionId && { executionId }),
        workflowData: { name, nodes: [...nodes], connections, settings, pinData },
      },
      signal,
    }),
  );
}
