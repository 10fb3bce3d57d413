import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { webhookFunctions } from './adapt/adapt-methods.ts';
import { communityFunctions, renderCommunityFunctions } from './community-functions.ts';
import { besideRunFunctions } from './context/beside-run-functions.ts';
import { executeFunctions } from './context/execute-functions.ts';
import { singleFunctions } from './context/single-functions.ts';
import { RunStaticData } from './context/static-data.ts';
import { fakeContext } from './testing/fake-context.ts';
import { workflowModule } from './workflow-module/workflow-module.ts';

const type = { description: { displayName: 'A', name: 'a', version: 1, properties: [] } };
const context = fakeContext();
const parts = { context, type, staticData: new RunStaticData({ global: {}, node: {} }) };
const beside = besideRunFunctions({
  type,
  ports: context,
  workflow: context.workflow,
  read: () => undefined,
  staticData: {},
  mode: 'trigger',
});
const functions: Record<string, unknown>[] = [
  executeFunctions(parts),
  singleFunctions(parts, 0),
  beside,
  webhookFunctions({ webhookName: 'default' } as never),
];
/** Handed to one kind of function alone, where it is called. */
const elsewhere = [
  'emit',
  'emitError',
  'makeRoutingRequest',
  'getRequestObject',
  'getResponseObject',
  'getBodyData',
  'getHeaderData',
  'getQueryData',
];

const helpers = executeFunctions(parts).helpers as Record<string, unknown>;

/** What packages find under a name of the table. */
function found(name: string): unknown {
  const [, exported] = /^n8n-workflow: (.*)$/.exec(name) ?? [];
  if (exported !== undefined) return workflowModule[exported];
  const [owner, member = ''] = name.split('.');
  if (owner === 'this') return functions.map((all) => all[member]).find((one) => one !== undefined);
  return helpers[member];
}

/** The code of what a call throws, or rejects with, when it is given nothing. */
async function refusalOf(called: unknown): Promise<unknown> {
  try {
    await (called as () => unknown)();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

describe('of the hundred functions that packages use most', () => {
  const here = communityFunctions.filter(({ name }) => !elsewhere.includes(name.replace('this.', '')));

  test('there is each', () => {
    expect(communityFunctions).toHaveLength(100);
    expect(here.filter(({ name }) => found(name) === undefined).map(({ name }) => name)).toEqual([]);
  });

  test.each(here.filter(({ state }) => state === 'notOffered').map(({ name }) => name))(
    'one that is not offered says so by its name: %s',
    (name) => {
      const member = name.replace(/^.*[.: ]/, '');
      expect(found(name)).toThrow(member);
    },
  );

  test('what is offered, or has no effect, refuses no call', async () => {
    const offered = here.filter(({ name, state }) => state !== 'notOffered' && typeof found(name) === 'function');
    const refusals = offered.map(async ({ name }) => ({ name, code: await refusalOf(found(name)) }));
    const refused = (await Promise.all(refusals)).filter(({ code }) => code === 'NOT_SUPPORTED');
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  test('the documentation says what is offered', () => {
    const page = readFileSync(new URL('../../../docs/community-functions.md', import.meta.url), 'utf8');
    expect(page).toBe(renderCommunityFunctions());
  });
});
