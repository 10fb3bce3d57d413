import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { api, call } from '../../../data/api.ts';
import { numberOf } from '../../../data/ids.ts';
import type { RunData } from '../../../data/run-data.ts';
import { createStore, type Store } from '../../../data/store.ts';
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

/** A store: each edit changes the draft, but few fields show what it changed. */
export const PreviewScope = createContext<Store<PreviewContext> | undefined>(undefined);

/** The store for `PreviewScope`. `context`: memoized. */
export function usePreviewStore(context: PreviewContext): Store<PreviewContext> {
  const [store] = useState(() => createStore(context));
  useLayoutEffect(() => store.set(context), [store, context]);
  return store;
}

export function usePreviewScope(): Store<PreviewContext> {
  const store = useContext(PreviewScope);
  if (!store) throw new Error('a field outside of an editor');
  return store;
}

/** A part of the context: a primitive, or an object that stays the same. */
export function usePreviewed<T>(select: (context: PreviewContext) => T): T {
  const store = usePreviewScope();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Milliseconds after the last key before an expression is evaluated. */
const pauseMs = 350;

/** The value of an expression from the service; `undefined` until it is evaluated. */
export function usePreview(nodeName: string, expression: string): { preview: Preview | undefined; error: unknown } {
  const scope = usePreviewScope();
  const workflowId = usePreviewed((context) => context.workflowId);
  const executionId = usePreviewed((context) => context.executionId);
  const input = usePreviewed(({ draft }) => inputOf(draft));
  const parameters = usePreviewed(({ draft }) => JSON.stringify(previewedParameters(draft, nodeName, expression)));
  const settled = useSettled(parameters, pauseMs);
  const { data, error } = useQuery({
    queryKey: ['workflows', workflowId, 'preview', executionId, input, nodeName, settled],
    queryFn: async () => (await preview(scope.get(), nodeName, JSON.parse(settled))) ?? null,
    enabled: expression.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return { preview: data ?? undefined, error };
}

/** The parts of a draft that decide which items reach a node, as numbers of the objects. */
function inputOf({ pinData, connections }: Draft): string {
  return `${numberOf(pinData)}/${numberOf(connections)}`;
}

/** An expression that reads parameters of its node needs its own request with them. */
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
