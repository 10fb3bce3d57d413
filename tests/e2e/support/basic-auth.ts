import { createServer } from 'node:http';
import { listening } from '@sluice/http-client/testing';
import { aChain, aNode } from '@sluice/test-support';
import { type Caller, createWorkflow, run } from './runs.ts';
import { trigger } from './workflows.ts';

const password = 'a-password-for-upkeep-tests';
const header = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;

/**
 * A server that requires basic authentication, and helpers that create a credential for it and run
 * a workflow with that.
 */
export async function startGuarded() {
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === header ? 200 : 401;
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  const { url, close } = await listening(server);
  return {
    /** Creates the credential and the workflow. Resolves to the workflow ID. */
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
    /**
     * Runs the workflow and resolves to the status, which is `success` only if the credential could
     * be decrypted.
     */
    async statusOfRun(caller: Caller, workflowId: string): Promise<string> {
      return (await run(caller, workflowId)).status;
    },
    stop: close,
  };
}
