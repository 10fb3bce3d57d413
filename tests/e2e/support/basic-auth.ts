import { createServer } from 'node:http';
import { listening } from '@sluice/http-client/testing';
import { aChain, aNode } from '@sluice/test-support';
import { type Caller, createWorkflow, run } from './runs.ts';
import { trigger } from './workflows.ts';

const password = 'a-password-for-the-upkeep';
const header = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;

/** A server that accepts one user, a stored credential for it, and a workflow that uses that. */
export async function startGuarded() {
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === header ? 200 : 401;
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  const { url, close } = await listening(server);
  return {
    /** Resolves to the ID of the workflow. */
    async prepare(caller: Caller): Promise<string> {
      const data = { user: 'ann', password };
      const { body } = await caller.call('POST', '/credentials', { name: 'Guard', type: 'httpBasicAuth', data });
      const request = aNode({
        name: 'Request',
        type: 'base.http-request',
        typeVersion: 4.2,
        parameters: { url: `${url}/`, authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' },
        credentials: { httpBasicAuth: { id: body.id, name: 'Guard' } },
      });
      return createWorkflow(caller, aChain([trigger, request]));
    },
    /** Status of a run, which is `success` only if the credential could be read. */
    async statusOfRun(caller: Caller, workflowId: string): Promise<string> {
      return (await run(caller, workflowId)).status;
    },
    stop: close,
  };
}
