import { fileReplyHeaders, fileRequestHeaders } from '@sluice/contract';
import { defineFileRoute, defineRoutes } from '../http/route/define-route.ts';

export const binaryDataRoutes = defineRoutes({
  getBinaryData: defineFileRoute({
    path: '/binary-data/:id',
    scope: 'execution:read',
    summary: 'Download a file of an item; supports HEAD, ranges, and If-None-Match',
    docs: { headers: fileRequestHeaders, responseHeaders: fileReplyHeaders },
    find: ({ params, caller, services }) => services.binaryData.find(params.id, caller),
  }),
});
