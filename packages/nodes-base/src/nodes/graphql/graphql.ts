import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { failedRequestOrThrow } from '../../shared/http/failed-request.ts';
import { sendForText } from '../../shared/http/send-for-text.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { graphqlProperties, graphqlVersions } from './graphql-properties.ts';
import { graphqlRequest } from './graphql-request.ts';
import { readGraphqlResponse } from './graphql-response.ts';

/** Sends one query per item. A response with errors fails the item. */
export const graphql: NodeType = {
  description: {
    displayName: 'GraphQL',
    name: 'graphql',
    group: ['input'],
    version: graphqlVersions,
    description: 'Sends a GraphQL request and outputs its response',
    defaults: { name: 'GraphQL' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    properties: graphqlProperties,
    icon: 'fa:project-diagram',
    iconColor: 'purple',
    subtitle: '={{ $parameter["requestMethod"] + ": " + $parameter["endpoint"] }}',
  },
  async execute(context) {
    return [await mapItemsAsync(context, (_, itemIndex) => itemFor(context, itemIndex))];
  },
};

async function itemFor(context: ExecuteContext, itemIndex: number): Promise<Item> {
  try {
    const text = await sendForText(context, await graphqlRequest(context, itemIndex), itemIndex);
    return { json: await readGraphqlResponse(context, text, itemIndex), pairedItem: { item: itemIndex } };
  } catch (error) {
    return failedRequestOrThrow(context, itemIndex, error);
  }
}
