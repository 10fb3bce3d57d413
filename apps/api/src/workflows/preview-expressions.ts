import { expressionPreview, previewExpressionsBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const previewExpressions = defineRoute({
  method: 'post',
  path: '/workflows/:id/expressions',
  scope: 'workflow:read',
  readOnly: true,
  operationId: 'previewExpressions',
  summary: 'Evaluate the expressions of a node with the data of an execution; runs nothing',
  body: previewExpressionsBody,
  responses: { 200: expressionPreview },
  async handle({ params, body, caller, services, signal }) {
    return { status: 200, body: await services.previews.preview(params.id, body, caller, signal) };
  },
});
