import { listNodeTypesQuery, nodeTypePage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const listNodeTypes = defineRoute({
  method: 'get',
  path: '/node-types',
  scope: 'workflow:list',
  summary: 'List the node types, with their parameters, by type',
  query: listNodeTypesQuery,
  responses: { 200: nodeTypePage },
  async handle({ query, services }) {
    const { nodeTypes, nextCursor } = await services.nodeTypes.list(query);
    return { status: 200, body: { data: nodeTypes, nextCursor } };
  },
});
