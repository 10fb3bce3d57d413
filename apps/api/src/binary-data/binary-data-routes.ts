import { fileReplyHeaders, fileRequestHeaders, Type } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

const bytes = Type.String({ contentMediaType: 'application/octet-stream' });

export const binaryDataRoutes = defineRoutes({
  getBinaryData: defineRoute({
    method: 'get',
    path: '/binary-data/:id',
    scope: 'execution:read',
    summary: 'Download a file of an item; supports HEAD, ranges, and If-None-Match',
    responses: { 200: bytes, 206: bytes, 304: Type.Null() },
    docs: { headers: fileRequestHeaders, responseHeaders: fileReplyHeaders, errors: ['RANGE_NOT_SATISFIABLE'] },
    handle: async ({ params, caller, services }) => ({ body: null, file: await services.binaryData.find(params.id, caller) }),
  }),
});
