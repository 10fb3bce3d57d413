import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { adaptNodeType } from '../adapt/adapt-node-type.ts';
import type { CommunityNodeType } from '../community-types.ts';
import { singleFunctions } from '../context/single-functions.ts';
import { RunStaticData } from '../context/static-data.ts';
import { workflowModule } from '../workflow-module/workflow-module.ts';
import {
  type ContextKind,
  communityFunctions,
  contextKinds,
  contextsOf,
  renderCommunityFunctions,
} from './community-functions.ts';
import { fakeContext } from './fake-context.ts';

type Members = Record<string, unknown> & { helpers: Record<string, unknown> };

/** The `this` values of package functions, by kind of context. */
const seen = new Map<ContextKind, Members[]>();

const calling = (kind: ContextKind, gives: unknown) =>
  function (this: Members) {
    seen.set(kind, [...(seen.get(kind) ?? []), this]);
    return gives;
  };
const description = {
  displayName: 'A',
  name: 'a',
  version: 1,
  properties: [],
  polling: true,
  webhooks: [{ name: 'default', httpMethod: 'POST', path: 'x' }],
};
const registers = { checkExists: calling('registration', true), create: () => true, delete: () => true };
const type = {
  description,
  execute: calling('run', [[]]),
  poll: calling('poll', null),
  trigger: calling('listener', {}),
  webhook: calling('webhook', {}),
  webhookMethods: { default: registers },
  methods: { loadOptions: { list: calling('methods', []) } },
} as unknown as CommunityNodeType;

beforeAll(async () => {
  const run = fakeContext();
  const adapted = adaptNodeType(type);
  await adapted.execute?.(run);
  const parts = { context: run, type, staticData: await RunStaticData.open({ global: {}, node: {} }) };
  seen.get('run')?.push(singleFunctions(parts, 0) as unknown as Members);
  const source = { ...run, cursor: undefined, saveCursor: () => undefined, emit: async () => ({}), failed: () => undefined };
  await adapted.poll?.({ ...source, mode: 'trigger' } as never);
  await adapted.trigger?.(source as never);
  const called = { ...run, parameter: () => undefined, webhookName: 'default', webhookUrl: () => 'http://h', staticData: {} };
  const request = {
    method: 'POST',
    url: 'http://h/x',
    target: '/x',
    headers: {},
    query: {},
    body: {},
    binary: {},
    rawBody: [],
  };
  await adapted.webhook?.({ ...called, request, respond: () => undefined } as never);
  await adapted.webhookMethods?.['default']?.checkExists(called as never);
  await adapted.methods?.loadOptions?.['list']?.(called as never);
});

/** Finds the values of a table entry in each context of a kind. */
function found(name: string, kind: ContextKind): unknown[] {
  const [owner, member = ''] = name.split('.');
  return (seen.get(kind) ?? []).map((all) => (owner === 'this' ? all : all.helpers)[member]);
}

/** The code of the error with which a call without arguments throws or rejects. */
async function refusalOf(called: unknown): Promise<unknown> {
  try {
    await (called as () => unknown)();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

/** The table's context members. */
const members = communityFunctions.filter((info) => !info.name.startsWith('n8n-workflow: '));

test('each kind of function has been called', () => {
  expect([...seen.keys()].sort()).toEqual([...contextKinds].sort());
});

describe('the hundred functions that packages use most', () => {
  test('are listed', () => {
    expect(communityFunctions).toHaveLength(100);
  });

  test.each(
    communityFunctions.filter(({ name }) => name.startsWith('n8n-workflow: ')).map(({ name, state }) => ({ name, state })),
  )('the module has $name', ({ name, state }) => {
    const exported = name.replace('n8n-workflow: ', '');
    expect(workflowModule[exported]).toBeDefined();
    if (state === 'notOffered') expect(workflowModule[exported]).toThrow(exported);
  });

  test.each(contextKinds)('functions listed for a context exist and accept calls: %s', async (kind) => {
    const here = members.filter((info) => info.state !== 'notOffered' && contextsOf(info).includes(kind));
    const missing = here.filter(({ name }) => found(name, kind).includes(undefined));
    expect(missing.map(({ name }) => name)).toEqual([]);
    const functions = here.flatMap(({ name }) => found(name, kind).map((called) => ({ name, called })));
    const refusals = functions
      .filter(({ called }) => typeof called === 'function')
      .map(async ({ name, called }) => ({ name, code: await refusalOf(called) }));
    const refused = (await Promise.all(refusals)).filter(({ code }) => code === 'NOT_SUPPORTED');
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  test.each(contextKinds)('functions that are not offered are named in their error: %s', (kind) => {
    const here = members.filter((info) => info.state === 'notOffered' && contextsOf(info).includes(kind));
    for (const { name } of here) for (const called of found(name, kind)) expect(called).toThrow(name.replace(/^.*\./, ''));
  });

  test('the documentation lists the offered functions', () => {
    const page = readFileSync(new URL('../../../../docs/community-functions.md', import.meta.url), 'utf8');
    expect(page).toBe(renderCommunityFunctions());
  });
});
