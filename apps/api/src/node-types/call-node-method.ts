import { callNodeMethodBody, nodeMethodReply } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const callNodeMethod = defineRoute({
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
  async handle({ params, body, caller, services, signal }) {
    return { status: 200, body: { data: await services.nodeMethods.call(params, body, caller, signal) } };
  },
});
