import type { GraphContent } from '@sluice/db';
import type { WorkflowGraph } from '@sluice/domain';

type GraphSource = {
  [Part in 'name' | 'nodes' | 'connections' | 'settings' | 'pinData']?: WorkflowGraph[Part] | null | undefined;
};

/**
 * The graph of a body; absent parts come from `current`. Empty settings and pinned data are dropped, so
 * that equal content is stored once.
 */
export function toGraph(source: GraphSource, current?: GraphContent): GraphContent {
  const { name = current?.name, nodes = current?.nodes, connections = current?.connections } = source;
  const settings = source.settings === undefined ? current?.settings : source.settings;
  const pinData = source.pinData === undefined ? current?.pinData : source.pinData;
  return {
    name: name ?? '',
    nodes: nodes ?? [],
    connections: connections ?? {},
    ...(isEmpty(settings) ? {} : { settings: settings as NonNullable<typeof settings> }),
    ...(isEmpty(pinData) ? {} : { pinData: pinData as NonNullable<typeof pinData> }),
  };
}

function isEmpty(object: object | null | undefined): boolean {
  return object === null || object === undefined || Object.keys(object).length === 0;
}
