import { fileReplyHeaders, fileRequestHeaders } from '@sluice/contract';
import { defineFileRoute } from '../http/define-file-route.ts';

export const getBinaryData = defineFileRoute({
  path: '/binary-data/:id',
  scope: 'execution:read',
  summary: 'Download a file that an item refers to; HEAD, ranges and If-None-Match work',
  docs: { headers: fileRequestHeaders, replyHeaders: fileReplyHeaders },
  find: ({ params, caller, services }) => services.binaryData.find(params.id, caller),
});
