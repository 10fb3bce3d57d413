import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { aPath, startWebhookFleet } from './support/webhook-fleet.ts';

/* Several clients of one execution each get their own response. */

const fleet = await startWebhookFleet({ WEBHOOK_WAIT_MS: '60000' });
afterAll(() => fleet.close());

const respond = (name: string, responseBody: string): WorkflowNode =>
  aNode({ name, type: 'base.respond-to-webhook', typeVersion: 1.4, parameters: { respondWith: 'text', responseBody } });
const formFields = { values: [{ fieldLabel: 'Name', fieldName: 'name' }] };
const waitForForm = (responseMode: string): WorkflowNode =>
  aNode({
    name: 'Wait',
    type: 'base.wait',
    typeVersion: 1.1,
    parameters: { resume: 'form', formTitle: 'Ok?', formFields, responseMode },
  });
const form = (name: string, parameters: JsonObject): WorkflowNode =>
  aNode({ name, type: 'base.form', typeVersion: 2.5, parameters });
const ending = form('Ending', { operation: 'completion', completionTitle: 'Thanks, approver B' });

const toFirst = 'a secret for caller A';
/** Responds to the client that started the workflow, with the URL of the form. */
const answerA = respond('R1', `={{ "${toFirst} " + $execution.resumeFormUrl }}`);
const answerB = respond('R2', 'thanks, approver B');
const local = (url: string) => url.replace('https://sluice.example', fleet.api.url);

/**
 * Starts the workflow, which responds immediately. Resolves to the URL of its form once it waits.
 */
async function calledFirst(...nodes: WorkflowNode[]): Promise<string> {
  const path = aPath();
  const id = await fleet.activate({ path, httpMethod: 'POST', responseMode: 'responseNode' }, [answerA, ...nodes]);
  const text = await (await fleet.post(path, {})).text();
  expect(text).toContain(toFirst);
  await eventually(async () => expect(await fleet.statusesOf(id)).toEqual(['waiting']));
  return local(text.split(' ').at(-1) ?? '');
}

/** Follows redirects and reloads as a browser does, until the page is final. */
async function browse(response: Response): Promise<string> {
  return eventually(async () => {
    const text = await (response.bodyUsed ? await fetch(response.url) : response).text();
    if (text.includes('http-equiv="refresh"')) throw new Error('the page says to wait');
    return text;
  });
}

const fillIn = (url: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ 'field-0': 'Bea' }) });
const sendJson = (url: string) =>
  fetch(url, { method: 'POST', body: '{"name":"Bea"}', headers: { 'content-type': 'application/json' } });

describe('the submitter of a form that a called workflow waits for', () => {
  test.each<[string, WorkflowNode[], string]>([
    ['the response of a later node', [waitForForm('responseNode'), answerB], 'thanks, approver B'],
    ['the ending of the form', [waitForForm('onReceived'), ending], 'Thanks, approver B'],
    ['the ending of the form, once the workflow has ended', [waitForForm('lastNode'), ending], 'Thanks, approver B'],
    ['the text of the form, once the workflow has ended', [waitForForm('lastNode')], 'recorded'],
    ['a further page, and the ending', [waitForForm('onReceived'), form('More', { formFields }), ending], 'More'],
    ['the ending of a separate page', [form('Page', { formFields }), ending], 'Thanks, approver B'],
  ])('sees %s, and no part of the response to the first request', async (_, nodes, expectedText) => {
    const page = await browse(await fillIn(await calledFirst(...nodes)));
    expect(page).not.toContain(toFirst);
    if (expectedText !== 'More') {
      expect(page).toContain(expectedText);
      return;
    }
    expect(page).toContain('field-0');
  });

  test('gets the response of a later node if it is a program', async () => {
    const response = await sendJson(await calledFirst(waitForForm('responseNode'), answerB));
    expect([response.status, await response.text()]).toEqual([200, 'thanks, approver B']);
  });

  test('does not get the response to the first request if it is a program and no node follows', async () => {
    const url = await calledFirst(waitForForm('responseNode'));
    expect(await (await sendJson(url)).json()).toMatchObject({ message: 'Workflow executed successfully' });
  });
});

describe('a first request that is still open', () => {
  /** Gets the URL of the form from the API. */
  async function openRequest(...nodes: WorkflowNode[]): Promise<{ received: Promise<Response>; url: string }> {
    const path = aPath();
    const mail = aNode({
      name: 'Mail',
      type: 'base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: '={{ { url: $execution.resumeFormUrl } }}' },
    });
    const id = await fleet.activate({ path, httpMethod: 'POST', responseMode: 'responseNode' }, [mail, ...nodes]);
    const received = fleet.post(path, {});
    const url = await eventually(async () => {
      const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}&status=waiting&includeData=true`);
      return body.data[0].data.resultData.runData.Mail[0].data.main[0][0].json.url as string;
    });
    return { received, url: local(url) };
  }

  test('does not get the ending of a form that another client submitted', async () => {
    const { received, url } = await openRequest(waitForForm('onReceived'), ending);
    expect(await browse(await fillIn(url))).toContain('Thanks, approver B');
    expect(await (await received).json()).toMatchObject({ message: 'Workflow executed successfully' });
  });

  test('gets the response of a node after a form that does not wait for a response', async () => {
    const { received, url } = await openRequest(waitForForm('onReceived'), respond('R1', toFirst));
    expect(await browse(await fillIn(url))).not.toContain(toFirst);
    expect(await (await received).text()).toBe(toFirst);
  });
});
