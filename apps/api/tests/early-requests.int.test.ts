import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { aPath, aSet, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

/*
 * Resume URLs are known before the waits start, so a request can arrive before the workflow waits.
 */

const fleet = await startWebhookFleet({ RATE_LIMIT_MISS_MAX: '1' });
afterAll(() => fleet.close());

const aWait = (name: string, parameters: JsonObject): WorkflowNode =>
  aNode({ name, type: 'base.wait', typeVersion: 1.1, parameters });
const anHour = aWait('Hour', { amount: 1, unit: 'hours' });
const forCall = aWait('Wait', { resume: 'webhook', httpMethod: 'POST' });
const formFields = { values: [{ fieldLabel: 'Name', fieldName: 'name' }] };
const forForm = aWait('Wait', { resume: 'form', formTitle: 'Ok?', formFields });

/** Starts a workflow that responds with its resume URL before it waits. */
async function started(url: 'resumeUrl' | 'resumeFormUrl', ...nodes: WorkflowNode[]): Promise<{ url: string; id: string }> {
  const path = aPath();
  const respond = aNode({
    name: 'Respond',
    type: 'base.respond-to-webhook',
    typeVersion: 1.4,
    parameters: { respondWith: 'text', responseBody: `={{ $execution.${url} }}` },
  });
  const id = await fleet.activate({ path, httpMethod: 'POST', responseMode: 'responseNode' }, [respond, ...nodes]);
  const text = await (await fleet.post(path, {})).text();
  return { id, url: text.replace('https://sluice.example', fleet.api.url) };
}

/** Ends the one-hour wait once it has started. */
const passTheHour = ({ id }: { id: string }) =>
  eventually(async () => {
    const due = sql`UPDATE executions SET resume_at = now() WHERE workflow_id = ${id} AND resume_at IS NOT NULL`;
    expect((await due.execute(fleet.api.db.kysely)).numAffectedRows).toBe(1n);
  });

const post = (url: string, body = '{}') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

/** Retries as a client does after `Retry-After`. */
const untilCounted = (send: () => Promise<Response>) =>
  eventually(async () => {
    const response = await send();
    if (response.status === 409 && (await codeOf(response.clone())) === 'NOT_WAITING_YET') throw new Error('not yet');
    return response;
  });

describe('a request before its wait has started', () => {
  test('gets Retry-After, never counts as a miss, and resumes the execution when it is repeated', async () => {
    const execution = await started('resumeUrl', anHour, forCall);
    const early = await Promise.all([post(execution.url), post(execution.url), post(execution.url)]);
    for (const response of early) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([409, '2']);
      expect(await codeOf(response)).toBe('NOT_WAITING_YET');
    }
    await passTheHour(execution);
    expect((await untilCounted(() => post(execution.url))).status).toBe(200);
    await eventually(async () => expect(await fleet.statusesOf(execution.id)).toEqual(['success']));
    const late = await post(execution.url);
    expect([late.status, await codeOf(late)]).toEqual([409, 'ALREADY_RESUMED']);
  });

  test('is held until the wait starts', async () => {
    const execution = await started('resumeUrl', anHour, forCall);
    const [heldResponse] = await Promise.all([untilCounted(() => post(execution.url)), passTheHour(execution)]);
    expect(heldResponse.status).toBe(200);
  });

  test('passes the preflight, so that a page can read the response', async () => {
    const execution = await started('resumeUrl', anHour, forCall);
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const allowed = async () => {
      const { status, headers } = await fetch(execution.url, { method: 'OPTIONS', headers: asking });
      return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-methods')];
    };
    expect(await allowed()).toEqual([204, '*', '*']);
    await passTheHour(execution);
    await eventually(async () => expect(await allowed()).toEqual([204, '*', 'POST']));
    expect((await post(execution.url)).status).toBe(200);
  });

  test('can be for the second wait of the execution', async () => {
    const execution = await started('resumeUrl', forCall, aSet('Next', '={{ { url: $execution.resumeUrl } }}'), anHour, {
      ...forCall,
      name: 'Again',
    });
    await untilCounted(() => post(execution.url));
    const next = await eventually(async () => {
      const { body } = await fleet.api.call('GET', `/executions?workflowId=${execution.id}&includeData=true`);
      return body.data[0].data.resultData.runData.Next[0].data.main[0][0].json.url as string;
    });
    const url = next.replace('https://sluice.example', fleet.api.url);
    expect(await codeOf(await post(url))).toBe('NOT_WAITING_YET');
    expect(await codeOf(await post(execution.url))).toBe('ALREADY_RESUMED');
    await passTheHour(execution);
    expect((await untilCounted(() => post(url))).status).toBe(200);
  });

  test('is too late if the execution ends without waiting, and 404 with a wrong token', async () => {
    const { id, url } = await started('resumeUrl', aSet('End', '{}'));
    await eventually(async () => expect(await fleet.statusesOf(id)).toEqual(['success']));
    const late = await post(url);
    expect([late.status, await codeOf(late)]).toEqual([409, 'ALREADY_RESUMED']);
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    expect((await fetch(url, { method: 'OPTIONS', headers: asking })).status).toBe(204);
    const guess = await post(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`);
    expect([guess.status, await codeOf(guess)]).toEqual([404, 'NOT_FOUND']);
  });
});

test('a form that is opened before its wait starts shows a waiting page, then the form', async () => {
  const execution = await started('resumeFormUrl', anHour, forForm);
  const early = await fetch(execution.url);
  expect(early.status).toBe(200);
  expect(await early.text()).toContain('http-equiv="refresh"');
  const refused = await post(execution.url, '{"name":"Ada"}');
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'NOT_WAITING_YET']);
  await passTheHour(execution);
  await eventually(async () => expect(await (await fetch(execution.url)).text()).toContain('field-0'));
  expect((await untilCounted(() => post(execution.url, '{"name":"Ada"}'))).status).toBe(200);
});
