import { nodeTypeView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const getNodeType = defineRoute({
  method: 'get',
  path: '/node-types/:type',
  scope: 'workflow:list',
  summary: 'Read a node type',
  responses: { 200: nodeTypeView },
  async handle({ params, services }) {
    return { status: 200, body: await services.nodeTypes.get(params.type) };
  },
});
