import {
  callNodeMethodBody,
  listNodeTypesQuery,
  nodeMethodReply,
  nodePackageList,
  nodeTypePage,
  nodeTypeView,
} from '@sluice/contract';
import { assertInstanceAdmin } from '../auth/caller.ts';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { toNodePackageViews } from './node-package-views.ts';

export const nodeTypeRoutes = defineRoutes({
  listNodeTypes: defineRoute({
    method: 'get',
    path: '/node-types',
    scope: 'workflow:list',
    summary: 'List the node types, with their parameters, by type',
    query: listNodeTypesQuery,
    responses: { 200: nodeTypePage },
    reply: async ({ query, services }) => services.nodeTypes.list(query),
  }),

  getNodeType: defineRoute({
    method: 'get',
    path: '/node-types/:type',
    scope: 'workflow:list',
    summary: 'Read a node type',
    responses: { 200: nodeTypeView },
    reply: async ({ params, services }) => services.nodeTypes.get(params.type),
  }),

  createNodeTypeMethod: defineRoute({
    method: 'post',
    path: '/node-types/:type/methods/:kind/:method',
    scope: 'workflow:read',
    action: 'nodeType.call',
    limit: 'run',
    summary:
      'Call a method of a node type for editors: loadOptions, listSearch, resourceMapping, actionHandler, or credentialTest; for loadOptions, the path of a parameter with declared choices may replace the method',
    body: callNodeMethodBody,
    bodyOptional: true,
    responses: { 200: nodeMethodReply },
    docs: { errors: ['NOT_FOUND', 'NODE_METHOD_FAILED', 'CREDENTIAL_UNREADABLE'] },
    reply: async ({ params, body, caller, services, signal }) => ({
      data: await services.nodeMethods.call(params, body, caller, signal),
    }),
  }),

  listNodePackages: defineRoute({
    method: 'get',
    path: '/node-packages',
    scope: 'none',
    summary: 'List the node packages found at startup, with the reasons of rejections; for owners and admins',
    responses: { 200: nodePackageList },
    async reply({ caller, services }) {
      assertInstanceAdmin(caller);
      return { data: toNodePackageViews(services.nodePackages) };
    },
  }),
});
