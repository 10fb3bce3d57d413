import { createServer } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { aNode } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf, runAndEnd } from './support/flows.ts';

/** Mocks a model: lists its models, calls the calculator once, then responds. */
const model = createServer((request, response) => {
  if (request.url === '/v1/models') {
    const data = ['gpt-4o-mini', 'gpt-4o', 'gpt-5'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'us' }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data }));
    return;
  }
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const isSecond = text.includes('"role":"tool"');
    const call = {
      id: 'call-1',
      type: 'function',
      function: { name: JSON.parse(text).tools[0].function.name, arguments: '{"input":"17 * 23.4"}' },
    };
    const message = isSecond
      ? { role: 'assistant', content: '17 % of 2,340 is 397.8.' }
      : { role: 'assistant', content: null, tool_calls: [call] };
    const usage = { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 };
    const choices = [{ index: 0, message, finish_reason: isSecond ? 'stop' : 'tool_calls' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices, usage }));
  });
});

const { service, open, inspect } = await startDashboard({ SSRF_ALLOW: '127.0.0.1' });

const modelServer = await listening(model);
const agent = await createAgent();
afterAll(() => modelServer?.close());

async function createAgent(): Promise<string> {
  const data = { apiKey: 'key-1', url: `${modelServer.url}/v1` };
  const { body: credential } = await service.call('POST', '/credentials', { name: 'Model', type: 'openAiApi', data });
  const sub = (type: string) => ({ [type]: [[{ node: 'Support', type, index: 0 }]] });
  return createWorkflow(service, {
    name: 'Support agent',
    nodes: [
      aNode({ name: 'Start', type: 'base.manual-trigger', position: [0, 0] }),
      aNode({
        name: 'Support',
        type: 'ai.agent',
        typeVersion: 3,
        parameters: { promptType: 'define', text: 'What is 17 % of 2,340?' },
        position: [240, 0],
      }),
      aNode({
        name: 'Model',
        type: 'ai.lm-chat-open-ai',
        typeVersion: 1.2,
        parameters: { model: 'gpt-4o-mini' },
        credentials: { openAiApi: { id: credential.id, name: 'Model' } },
        position: [160, 180],
      }),
      aNode({ name: 'Calculator', type: 'ai.tool-calculator', position: [380, 180] }),
    ],
    connections: {
      Start: { main: [[{ node: 'Support', type: 'main', index: 0 }]] },
      Model: sub('ai_languageModel'),
      Calculator: sub('ai_tool'),
    },
  });
}

test('a tool is attached to an agent, chosen from the types that can be tools', async () => {
  const page = await open(`/workflows/${agent}`);
  await nodeOf(page, 'Support').getByRole('button', { name: 'Add Tool to Support' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Calculator').first().waitFor();
  expect(await dialog.getByText('Edit Fields', { exact: true }).count()).toBe(0);
  await page.getByPlaceholder('Search: Tool').fill('http request');
  await page.keyboard.press('Enter');
  await nodeOf(page, 'HTTP Request Tool').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Workflow saved').first().waitFor();
  const { body } = await service.call('GET', `/workflows/${agent}`);
  expect(body.connections['HTTP Request Tool']).toEqual({ ai_tool: [[{ node: 'Support', type: 'ai_tool', index: 0 }]] });
  expect(body.connections['Calculator']).toEqual({ ai_tool: [[{ node: 'Support', type: 'ai_tool', index: 0 }]] });
  // An agent can have only one memory.
  await nodeOf(page, 'Support').getByRole('button', { name: 'Add Memory to Support' }).click();
  await page
    .getByRole('option', { name: /Memory/ })
    .first()
    .click();
  await nodeOf(page, 'Support').getByRole('button', { name: 'Add Memory to Support' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  await nodeOf(page, 'Support').getByRole('button', { name: 'Add Memory to Support' }).waitFor();
});

test('a model is chosen with a search in the list of its service', async () => {
  const page = await open(`/workflows/${agent}`);
  await nodeOf(page, 'Model').click();
  const mode = page.getByLabel('Model: mode');
  expect(await mode.inputValue()).toBe('id');
  await mode.selectOption({ label: 'From list' });
  await page.getByRole('button', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'gpt-4o', exact: true }).waitFor();
  await page.getByPlaceholder('Search', { exact: true }).fill('5');
  await page.getByRole('option', { name: 'gpt-4o', exact: true }).waitFor({ state: 'detached' });
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await page.getByText('Workflow saved').first().waitFor();
  const { body } = await service.call('GET', `/workflows/${agent}`);
  const { parameters } = body.nodes.find(({ name }: { name: string }) => name === 'Model');
  expect(parameters.model).toEqual({ __rl: true, mode: 'list', value: 'gpt-5', cachedResultName: 'gpt-5' });
});

test('the editor shows sub-nodes and is accessible', async () => {
  const ready = (page: Page) => nodeOf(page, 'Calculator').waitFor();
  await inspect({ name: 'agent', path: `/workflows/${agent}`, ready });
});

test('an execution shows each use of a sub-node in the graph and the timeline', async () => {
  const id = await runAndEnd(service, await createAgent());
  const page = await open(`/executions/${id}`);
  const { body } = await service.call('GET', `/executions/${id}?includeData=true`);
  expect(body.data.resultData.error).toBeUndefined();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: /use of a sub-node: ?Model.*run 2/ }).waitFor();
  await timeline.getByRole('button', { name: /use of a sub-node: ?Calculator/ }).click();
  const panel = page.getByRole('region', { name: 'Node Calculator' });
  await panel.getByRole('tab', { name: 'Input 1' }).click();
  await panel.getByText('17 * 23.4').first().waitFor();
  await page.getByRole('button', { name: /^Calculator ?: succeeded/ }).waitFor();
  const ready = (opened: Page) => opened.getByRole('button', { name: /^Support ?: succeeded/ }).waitFor();
  await inspect({ name: 'execution-agent', path: `/executions/${id}?node=Model`, ready });
});
