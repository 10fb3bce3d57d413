import { fileReplyHeaders, fileRequestHeaders } from '@sluice/contract';
import { defineFileRoute } from '../http/route/define-route.ts';

const getBinaryData = defineFileRoute({
  path: '/binary-data/:id',
  scope: 'execution:read',
  summary: 'Download a file of an item; supports HEAD, ranges, and If-None-Match',
  docs: { headers: fileRequestHeaders, responseHeaders: fileReplyHeaders },
  find: ({ params, caller, services }) => services.binaryData.find(params.id, caller),
});

export const binaryDataRoutes = [getBinaryData];
