import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, call } from '../../../data/api.ts';
import { numberOf } from '../../../data/ids.ts';
import type { RunData } from '../../../data/run-data.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { Draft } from '../model/graph.ts';
import { previewedName, previewedParameters } from '../model/previewed-parameters.ts';
import { evaluateInBatch, type Preview } from './evaluate-in-batch.ts';

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

/** The value of a node's expression, evaluated by the service; `undefined` until it is evaluated. */
export function usePreview(nodeName: string, expression: string): { preview: Preview | undefined; error: unknown } {
  const scope = useContext(PreviewScope);
  const settled = useSettled(scope ? JSON.stringify(previewedParameters(scope.draft, nodeName, expression)) : '', pauseMs);
  const { data, error } = useQuery({
    queryKey: ['workflows', scope?.workflowId, 'preview', scope?.executionId, scope && inputOf(scope.draft), nodeName, settled],
    queryFn: async () => (await preview(scope as PreviewContext, nodeName, JSON.parse(settled))) ?? null,
    enabled: settled !== '' && expression.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return { preview: data ?? undefined, error };
}

/** The parts of a draft that decide which items reach a node. An edit that keeps a part keeps its number. */
function inputOf({ pinData, connections }: Draft): readonly number[] {
  return [numberOf(pinData), numberOf(connections)];
}

/** An expression that reads other parameters of its node needs a separate request, which contains them. */
async function preview(scope: PreviewContext, nodeName: string, parameters: Readonly<Record<string, string>>) {
  const evaluateAll = (all: Readonly<Record<string, string>>) => evaluate(scope, nodeName, all);
  const { [previewedName]: expression = '', ...others } = parameters;
  if (Object.keys(others).length > 0) {
    return (await evaluateAll(parameters)).find(({ path }) => path === previewedName);
  }
  const key = JSON.stringify([scope.workflowId, scope.executionId, inputOf(scope.draft), nodeName]);
  return evaluateInBatch(key, expression, evaluateAll);
}

async function evaluate(
  { workflowId, executionId, draft }: PreviewContext,
  nodeName: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Preview[]> {
  const { name, nodes, connections, settings, pinData } = draft;
  const { expressions } = await call(
    api.POST('/workflows/{id}/expressions', {
      params: { path: { id: workflowId } },
      body: {
        nodeName,
        parameters,
        itemIndex: 0,
        ...(executionId && { executionId }),
        workflowData: { name, nodes: [...nodes], connections, settings, pinData },
      },
    }),
  );
  return expressions;
}
