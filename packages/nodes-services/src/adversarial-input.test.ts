import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest, JsonObject, JsonValue, NodeProperty, NodeType } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { fakeContext } from '@sluice/nodes-base/testing';
import { attackShare, leastWithin, longestBusy } from '@sluice/test-support';
import { loadServiceNodeTypes } from './service-node-types.ts';
import { answers, largeResponses } from './testing/answers.ts';
import type { Attack, Attacks } from './testing/attack.ts';
import { exampleOf, services } from './testing/index.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;

/** Credential fields of all services. */
const account = {
  accessToken: 'x',
  apiKey: 'x',
  baseUrl: 'https://service.example',
  domain: 'https://service.example',
  host: 'https://service.example',
  subdomain: 'service',
  url: 'https://service.example',
  webDavUrl: 'https://service.example',
  oauthTokenData: { access_token: 'x', callbackQueryString: { realmId: '1' } },
};

/** Duration of an attack; a node that has not finished by then may continue. */
const attackMs = 900;

const types = await loadServiceNodeTypes();

const plans: Record<string, Attacks[string]> = {};
for (const service of services) {
  const { attacks }: { attacks: Attacks } = await import(`./services/${service}/testing/attacks.ts`);
  Object.assign(plans, attacks);
}

test('every service node type, and no other type, has an attack plan', () => {
  expect(Object.keys(plans).sort()).toEqual(types.map(({ description }) => description.name).sort());
});

describe.each(types.map((type, index) => [type.description.name, type, index] as const))('%s', (name, type, index) => {
  const operations = operationsOf(type);
  // All lists of one service are read in the same way.
  const lists = operations.filter((parameters) => 'returnAll' in parameters).slice(0, 3);

  test('an adversarial run never blocks the event loop', async () => {
    const measured: Record<string, number> = {};
    for (const attack of attackShare(plans[name]?.() ?? [], index)) measured[attack.name] = await stallOf(type, attack);
    expect(tooLong(measured)).toEqual([]);
  });

  test.each(attackShare([...Object.keys(answers), ...largeResponses.keys()], index))(
    'a response of %s never blocks the event loop',
    async (kind) => {
      if (typeof kind === 'number') {
        const { parameters } = await exampleOf(name);
        const body = largeResponses.get(kind)?.() ?? '';
        const attack = { name: String(kind), parameters, status: kind, answer: () => body };
        expect(await stallOf(type, attack, Number.POSITIVE_INFINITY)).toBeLessThan(maxStallMs);
        return;
      }
      const body = answers[kind]?.() ?? '';
      const measured: Record<string, number> = {};
      for (const parameters of kind === 'lists' ? attackShare(lists, index) : operations.slice(0, 1)) {
        const operation = `${parameters['resource']}: ${parameters['operation']}`;
        measured[operation] = await stallOf(type, { name: kind, parameters, answer: () => body });
      }
      expect(tooLong(measured)).toEqual([]);
    },
  );
});

const tooLong = (measured: Record<string, number>) => Object.entries(measured).filter(([, ms]) => ms > maxStallMs);

/** The longest event loop stall while a node runs. The node's result does not matter. */
const stallOf = (type: NodeType, attack: Attack, endMs = attackMs): Promise<number> =>
  leastWithin(maxStallMs, () => stallOnce(type, attack, endMs));

async function stallOnce(type: NodeType, attack: Attack, endMs: number): Promise<number> {
  const { parameters, items = [{}], cursor, status = 200, answer } = attack;
  const { credentials = [] } = type.description;
  const credentialsByName = Object.fromEntries(credentials.map(({ name }) => [name, account]));
  const ending = new AbortController();
  const bodies = new Map<string, Buffer>();
  // Created before the run, so that its cost is not attributed to the node. A response that depends
  // on the path is created at the first request.
  const same = answer.length === 0 ? Buffer.from(answer('')) : undefined;
  const request = async ({ url }: HttpRequest) => {
    ending.signal.throwIfAborted();
    const { pathname } = new URL(url);
    const body = same ?? bodies.get(pathname) ?? Buffer.from(answer(pathname));
    bodies.set(pathname, body);
    await nextTurn(); // as over a network
    return { status, statusText: '', headers: {}, body, url };
  };
  const run = {
    parameters,
    json: items,
    typeVersion: newest(type),
    http: { request },
    credentials: credentialsByName,
    signal: ending.signal,
  };
  const context = fakeContext(run);
  const timer = Number.isFinite(endMs) ? setTimeout(() => ending.abort(new Error('the attack is over')), endMs) : undefined;
  const begin = () =>
    type.poll
      ? pollOnce(type, { ...run, credentialTypes: baseCredentialTypes, ...(cursor && { cursor }) })
      : type.execute?.(context);
  try {
    return await longestBusy(() => Promise.resolve(begin()).catch(assertReached));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * An error may end a run. A parameter error would mean that the attack never reached the node's
 * work.
 */
function assertReached(error: unknown): void {
  expect(error).not.toMatchObject({
    message: expect.stringMatching(/parameter|required|test gives no|not supported yet|Invalid URL/),
  });
}

function newest({ description }: NodeType): number {
  return Math.max(...[description.version].flat());
}

/** Parameters of every operation, with a value for each required parameter. */
function operationsOf(type: NodeType): JsonObject[] {
  const { properties } = type.description;
  const choicesOf = (name: string, resource?: JsonValue) =>
    properties
      .filter((property) => property.name === name && isFor(property, { resource }, newest(type)))
      .flatMap(({ options = [] }) => options.flatMap((option) => ('value' in option ? [option.value] : [])));
  const resources = choicesOf('resource');
  const pairs = (resources.length > 0 ? resources : [undefined]).flatMap((resource) =>
    choicesOf('operation', resource).map((operation) => ({ ...(resource !== undefined && { resource }), operation })),
  );
  const all: JsonObject[] = pairs.length > 0 ? pairs : [{}];
  return all.map((chosen) => {
    const filled = properties
      .filter((property) => isFor(property, chosen, newest(type)) && !isExpression(property))
      .map(valueFor);
    return { ...Object.fromEntries(filled), ...chosen };
  });
}

function isFor({ displayOptions }: NodeProperty, chosen: Record<string, JsonValue | undefined>, version: number): boolean {
  const wanted = displayOptions?.show ?? {};
  const has = (name: string, value: JsonValue | undefined) => value === undefined || (wanted[name]?.includes(value) ?? true);
  return has('resource', chosen['resource']) && has('operation', chosen['operation']) && has('@version', version);
}

/** A default that the engine evaluates; without it, a node uses its own value. */
function isExpression({ default: initial }: NodeProperty): boolean {
  return typeof initial === 'string' && initial.startsWith('=');
}

function valueFor({ name, type, default: initial }: NodeProperty): [string, JsonValue] {
  if (name === 'returnAll') return [name, true];
  if (name === 'results') return [name, '[]'];
  if (name === 'recipientPhoneNumber') return [name, '1'];
  return [name, type === 'string' && (initial ?? '') === '' ? 'x' : (initial ?? '')];
}
