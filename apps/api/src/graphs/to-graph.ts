import type { GraphContent } from '@sluice/db';
import type { WorkflowGraph } from '@sluice/domain';

type GivenGraph = {
  [Part in 'name' | 'nodes' | 'connections' | 'settings' | 'pinData']?: WorkflowGraph[Part] | null | undefined;
};

/**
 * The graph of a body; absent parts come from `current`. Empty settings and pinned data are dropped, so
 * that equal content is stored once.
 */
export function toGraph(given: GivenGraph, current?: GraphContent): GraphContent {
  const { name = current?.name, nodes = current?.nodes, connections = current?.connections } = given;
  const settings = given.settings === undefined ? current?.settings : given.settings;
  const pinData = given.pinData === undefined ? current?.pinData : given.pinData;
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
