import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { httpServer } from '@sluice/nodes-base/testing';
import { aNode, eventually } from '@sluice/test-support';
import { aPath, startWebhookFleet } from './support/webhook-fleet.ts';

const telegram = await httpServer((_, response) => {
  response.setHeader('content-type', 'application/json').end('{"ok":true,"result":{"message_id":7}}');
});
const fleet = await startWebhookFleet({ SSRF_PROTECTION: 'off' });
const data = { accessToken: '123:abc', baseUrl: telegram.origin };
const { body } = await fleet.api.call('POST', '/credentials', { body: { name: 'Bot', type: 'telegramApi', data } });
const credentialId = body.id;
beforeEach(() => {
  telegram.received.splice(0);
});
afterAll(async () => {
  await fleet.close();
  await telegram.close();
});

interface Asked {
  workflowId: string;
  text: string;
  /** Label → URL at this API. */
  links: Record<string, string>;
}

/** Starts a workflow that asks a question by Telegram. Resolves to its ID. */
async function started(parameters: JsonObject): Promise<string> {
  const path = aPath();
  const node = aNode({
    name: 'Ask',
    type: 'base.telegram',
    typeVersion: 1.2,
    parameters: { operation: 'sendAndWait', chatId: '5', message: 'Ship *it*?', ...parameters },
    credentials: { telegramApi: { id: credentialId, name: 'Bot' } },
  });
  const workflowId = await fleet.activate({ path, httpMethod: 'POST' }, [node]);
  expect((await fleet.post(path, { order: 7 })).status).toBe(200);
  return workflowId;
}

async function asked(parameters: JsonObject): Promise<Asked> {
  const workflowId = await started(parameters);
  await eventually(async () => expect(await fleet.statusesOf(workflowId)).toEqual(['waiting']));
  const sent = JSON.parse(telegram.received[0]?.body.toString() ?? '') as {
    text: string;
    reply_markup: { inline_keyboard: { text: string; url: string }[][] };
  };
  const buttons = sent.reply_markup.inline_keyboard.flat();
  const links = buttons.map(({ text, url }) => [text, url.replace('https://sluice.example', fleet.api.url)] as const);
  return { workflowId, text: sent.text, links: Object.fromEntries(links) };
}

async function resultOf(workflowId: string): Promise<JsonObject> {
  await eventually(async () => expect(await fleet.statusesOf(workflowId)).toEqual(['success']));
  const { body } = await fleet.api.call('GET', `/executions?workflowId=${workflowId}&includeData=true`);
  return body.data[0].data.resultData.runData['Ask'][0].data.main[0][0].json;
}

const keyIn = (page: string) => /name="form-key" value="([\w-]+)"/.exec(page)?.[1] ?? '';
const answered = async (url: string, fields: Record<string, string>) => {
  const page = await (await fetch(url)).text();
  return fetch(url, { method: 'POST', body: new URLSearchParams({ 'form-key': keyIn(page), ...fields }), redirect: 'manual' });
};

describe('a workflow that sends a question and waits', () => {
  test('ignores programs that open the links, and accepts one response from the user', async () => {
    const { workflowId, text, links } = await asked({ approvalOptions: { values: { approvalType: 'double' } } });
    expect(text).toBe('Ship *it*?');
    const { Approve: approve = '', Decline: decline = '' } = links;
    for (const url of [approve, decline])
      for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(200);
    expect(await (await fetch(decline)).text()).toMatch(/value="Decline"[^>]*checked/);
    expect(await fleet.statusesOf(workflowId)).toEqual(['waiting']);

    const elsewhere = decline.replace(fleet.api.url, fleet.otherUrl);
    expect((await answered(elsewhere, { 'field-0': 'Decline' })).status).toBe(303);
    expect(await resultOf(workflowId)).toEqual({ data: { approved: false } });
    expect((await fetch(approve, { method: 'POST', body: new URLSearchParams({ 'field-0': 'Approve' }) })).status).toBe(409);
  });

  test('continues with the text of the user', async () => {
    const { workflowId, links } = await asked({ responseType: 'freeText' });
    const url = links['Respond'] ?? '';
    expect((await answered(url, { 'field-0': '' })).status).toBe(422);
    expect((await answered(url, { 'field-0': 'On Monday' })).status).toBe(303);
    expect(await resultOf(workflowId)).toEqual({ data: { text: 'On Monday' } });
  });

  test('continues with the incoming items after the timeout', async () => {
    const workflowId = await started({ options: { limitWaitTime: { values: { resumeAmount: 0, resumeUnit: 'minutes' } } } });
    expect(await resultOf(workflowId)).toMatchObject({ body: { order: 7 } });
  });
});
