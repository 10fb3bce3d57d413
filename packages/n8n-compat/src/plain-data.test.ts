import { expect, test } from '@jest/globals';
import type { Item, WebhookResponse } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { ResponseObject } from './context/http-call.ts';
import { copyManyItems, itemReader } from './context/item-reader.ts';
import { NodeParameters } from './context/node-parameters.ts';
import { RunStaticData } from './context/static-data.ts';
import { toNodeError } from './context/to-node-error.ts';
import { boundedCopy, mapCopies, plainDataInSlices } from './plain-data.ts';

const maxStallMs = 250;
/** Uses far more memory than its JSON size suggests: 3 bytes per object. */
const many = (count: number) => Array.from({ length: count }, () => ({}));

const bodies: unknown[] = [{ a: 1 }, 'text', null, many(50_000), 'x'.repeat(2_000_000)];

test.each(bodies)('a response is sent once, with the status and headers of the call (%#)', async (body) => {
  const sent: unknown[] = [];
  const response = new ResponseObject({ respond: (one) => sent.push(one) });
  response.status(201).set('a', 'b').json(body);
  response.status(500).set('a', 'c').json('again');
  await response.sent();
  expect(sent).toEqual([{ status: 201, headers: { a: 'b' }, body: { kind: 'json', json: body } }]);
});

const circle: Record<string, unknown> = { text: 'x'.repeat(2_000_000) };
circle['self'] = circle;
const refusedData: [string, unknown, RegExp][] = [
  ['contain themselves', circle, /circular/],
  ['have another kind of number', { n: 1n }, /BigInt/],
  ['are too long', Array.from({ length: 66 }, () => 'x'.repeat(1024 * 1024)), /longer than 67108864 characters/],
];

test.each(refusedData)('data that %s is rejected with the reason', async (_, data, reason) => {
  const copy = plainDataInSlices(data, 'it');
  await expect(copy).rejects.toThrow(/^it cannot be written as JSON \([^\n]+\)$/);
  await expect(copy).rejects.toThrow(reason);
});

test('data is converted as JSON does', async () => {
  expect(await plainDataInSlices(undefined, 'it')).toBeUndefined();
  expect(await plainDataInSlices({ at: new Date(0), gone: undefined }, 'it')).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test.each(refusedData)(
  'a response with data that %s fails with the reason, and its client gets 500 without it',
  async (_, data, reason) => {
    const message = 'the response body cannot be sent';
    const sent: WebhookResponse[] = [];
    const response = new ResponseObject({ respond: (one) => sent.push(one) });
    const respond = async () => response.status(201).json(data).sent();
    await expect(respond()).rejects.toThrow(reason);
    // A body that is rejected immediately can be replaced, as with the library.
    if (sent.length === 0) response.status(500).json({ message });
    expect(sent).toEqual([{ status: 500, headers: {}, body: { kind: 'json', json: { message } } }]);
  },
);

test('a copy has the members of its original, including those named like built-in members', () => {
  const original = JSON.parse('{"__proto__":{"a":1},"toString":1,"b":[{"c":null}]}') as object;
  const copy = boundedCopy(original, 'the value');
  expect(JSON.stringify(copy)).toBe(JSON.stringify(original));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('items are copied with their pairing, and a change to one copy affects no other', async () => {
  const items: Item[] = [{ json: { many: many(50_000) } }, { json: { a: 1 } }];
  const context = { items: () => items, inputCount: 1 };
  const read = itemReader(context, undefined, await copyManyItems(context, undefined));
  const [first, second] = read();
  expect([first?.pairedItem, second]).toEqual([{ item: 0 }, { json: { a: 1 }, pairedItem: { item: 1 } }]);
  if (second) second.json['a'] = 2;
  expect([read()[1]?.json, items[1]?.json]).toEqual([{ a: 2 }, { a: 1 }]);
});

test('static data is stored only if it changed', async () => {
  const data = await RunStaticData.open({ global: { n: 1 }, node: { list: many(50_000) } });
  expect(await data.changed()).toBeUndefined();
  data.of('global')['n'] = 2;
  expect([await data.changed(), await data.takeShared(), await data.takeShared()]).toEqual([
    { global: { n: 2 } },
    { n: 2 },
    undefined,
  ]);
});

test('static data that changes back to its initial value is stored again', async () => {
  const data = await RunStaticData.open({ global: {}, node: { state: 'on' } });
  const seen: unknown[] = [];
  for (const state of ['off', 'on', 'on']) {
    data.of('node')['state'] = state;
    seen.push(await data.changed());
  }
  expect(seen).toEqual(['off', 'on', 'on'].map((state) => ({ node: { state } })));
});

const millions = { a: many(1_300_000) };
const refusal = { statusCode: 500, response: { status: 500, data: millions } };
const attacks: [string, () => unknown][] = [
  ['the response to a webhook', () => new ResponseObject({ respond: () => undefined }).json(millions).sent()],
  ['one item', () => copyManyItems({ items: () => [{ json: millions }], inputCount: 1 }, undefined)],
  ['items of a response', () => mapCopies([{ json: millions }], (item) => item)],
  [
    'static data',
    async () => expect(await (await RunStaticData.open({ global: millions, node: {} })).changed()).toBeUndefined(),
  ],
  ['the body of a refusal', () => toNodeError(Object.assign(new Error('refused'), refusal))],
];

test.each(attacks)('%s with millions of objects does not block the event loop', async (_, attack) => {
  expect(await longestBusy(attack)).toBeLessThan(maxStallMs);
});

test('a parameter that would block the event loop is rejected', async () => {
  const read = () => millions;
  const parameters = new NodeParameters(read, [{ displayName: 'A', name: 'a', type: 'json', default: {} }], 1);
  const busy = await longestBusy(() => expect(() => parameters.get('a', undefined)).toThrow(/parameter "a" is too large/));
  expect(busy).toBeLessThan(maxStallMs);
});
