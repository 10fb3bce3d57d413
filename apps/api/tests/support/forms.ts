import { afterAll } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { aPath, startWebhookFleet, type WebhookFleet } from './webhook-fleet.ts';

export const fieldsOf = (...values: JsonObject[]): JsonObject => ({ values });
export const nameField: JsonObject = { fieldLabel: 'Your name', fieldName: 'name', requiredField: true };
const ageField: JsonObject = { fieldLabel: 'Age', fieldName: 'age', fieldType: 'number' };

/** A further page of a form. */
export const aForm = (...values: JsonObject[]): WorkflowNode =>
  aNode({ name: 'Page', type: 'base.form', typeVersion: 2.5, parameters: { formFields: fieldsOf(...values) } });

export const keyIn = (page: string) => /name="form-key" value="([\w-]+)"/.exec(page)?.[1] ?? '';
export const send = (url: string, fields: Record<string, string>, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), ...init });

interface StartItem {
  json: JsonObject;
  binary?: Record<string, JsonObject>;
}

interface RunOfNode {
  data: { main: StartItem[][] };
}

export interface Forms {
  readonly fleet: WebhookFleet;
  /** Activates a workflow of a form and the nodes after it. */
  activate(parameters?: JsonObject, nodes?: WorkflowNode[]): Promise<{ id: string; url: string }>;
  /** With their data, newest first. */
  executions(workflowId: string): Promise<JsonObject[]>;
  /** The first output item of a node in the newest execution, once there is one. */
  itemOf(workflowId: string, node: string): Promise<StartItem>;
}

/** Starts a fleet for the tests of a file, and stops it after the last one. */
export async function startForms(): Promise<Forms> {
  const limits = { BODY_LIMIT_BYTES: '20000', BINARY_MAX_BYTES: '50000', WEBHOOK_WAIT_MS: '60000' };
  const fleet = await startWebhookFleet(limits);
  afterAll(() => fleet.close());
  const executions: Forms['executions'] = async (workflowId) =>
    (await fleet.api.call('GET', `/executions?workflowId=${workflowId}&includeData=true`)).body.data;
  return {
    fleet,
    async activate(parameters = {}, nodes = []) {
      const path = aPath();
      const { options = {}, ...others } = parameters as { options?: JsonObject };
      const fields = fieldsOf(nameField, ageField);
      const all = { formTitle: 'Hello', formFields: fields, ...others, options: { path, ...options } };
      const id = await fleet.activate(all, nodes, { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5 });
      return { id, url: `${fleet.api.url}/form/${path}` };
    },
    executions,
    itemOf: (workflowId, node) =>
      eventually(async () => {
        const [newest] = (await executions(workflowId)) as {
          data?: { resultData: { runData: Record<string, RunOfNode[]> } };
        }[];
        const item = newest?.data?.resultData.runData[node]?.[0]?.data.main[0]?.[0];
        if (!item) throw new Error(`node ${node} has given nothing`);
        return item;
      }),
  };
}
