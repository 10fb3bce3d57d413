import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { xml } from './xml.ts';

const document = '<?xml version="1.0"?><R><a x="1">t</a><b>1</b><b> 2\n 3 </b><c/></R>';
const read = async (data: string, options: JsonObject = {}) =>
  JSON.parse(JSON.stringify((await runForJson(xml, { json: [{ data }], parameters: { options } }))[0]));
const write = async (json: JsonObject, options: JsonObject = {}) =>
  (await runForJson(xml, { json: [json], parameters: { mode: 'jsonToxml', options } }))[0]?.['data'];

describe('XML to JSON', () => {
  test.each<[JsonObject, JsonObject]>([
    [{}, { R: { a: { _: 't', x: '1' }, b: ['1', ' 2\n 3 '], c: '' } }],
    [{ mergeAttrs: false }, { R: { a: { _: 't', $: { x: '1' } }, b: ['1', ' 2\n 3 '], c: '' } }],
    [
      { mergeAttrs: false, attrkey: '@', charkey: '#' },
      { R: { a: { '#': 't', '@': { x: '1' } }, b: ['1', ' 2\n 3 '], c: '' } },
    ],
    [{ ignoreAttrs: true, trim: true }, { R: { a: 't', b: ['1', '2\n 3'], c: '' } }],
    [
      { explicitRoot: false, normalize: true, ignoreAttrs: true },
      { a: 't', b: ['1', '2 3'], c: '' },
    ],
    [
      { normalizeTags: true, ignoreAttrs: true, explicitArray: true, trim: true },
      { r: { a: ['t'], b: ['1', '2\n 3'], c: [''] } },
    ],
  ])('with %j', async (options, expected) => {
    expect(await read(document, options)).toEqual(expected);
  });

  test('an element named __proto__ is a field like any other', async () => {
    const [json] = await runForJson(xml, { json: [{ data: '<r><__proto__><x>1</x></__proto__></r>' }] });
    expect(Object.keys(json?.['r'] ?? {})).toEqual(['__proto__']);
    expect(({} as JsonObject)['x']).toBeUndefined();
  });

  test.each([
    ['Invalid character entity', '<!DOCTYPE r [<!ENTITY e "boom">]><r>&e;</r>'],
    ['Invalid character entity', '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>'],
    ['Unexpected close tag', '<r><a></r>'],
    ['Unclosed root tag', '<r>'],
    ['no element', ''],
    ['Non-whitespace before first tag', 'no markup'],
    ['nested more than 500', '<a>'.repeat(1_100) + '</a>'.repeat(1_100)],
  ])('invalid input is reported: %s', async (message, data) => {
    await expect(read(data)).rejects.toMatchObject({ message: expect.stringContaining(message), itemIndex: 0 });
  });

  test('markup within CDATA is text', async () => {
    expect(await read(`<r><![CDATA[${'<br>'.repeat(2_000)}]]></r>`)).toEqual({ r: '<br>'.repeat(2_000) });
  });

  test('a field that is not XML is an error', async () => {
    await expect(runNode(xml, { json: [{ data: 5 }] })).rejects.toThrow(
      'the field "data" must contain XML, but is the number 5',
    );
  });
});

describe('JSON to XML', () => {
  test.each<[JsonObject, JsonObject, string]>([
    [{ R: { a: 1, b: ['x', '<'] } }, { headless: true }, '<R>\n  <a>1</a>\n  <b>x</b>\n  <b>&lt;</b>\n</R>'],
    [{ a: 1, b: 2 }, {}, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<root>\n  <a>1</a>\n  <b>2</b>\n</root>'],
    [{ a: 1, b: 2 }, { headless: true, rootName: 'doc' }, '<doc>\n  <a>1</a>\n  <b>2</b>\n</doc>'],
    [{ a: { $: { x: '1' }, _: 't' } }, { headless: true }, '<a x="1">t</a>'],
    [{ a: { '@': { x: '1' }, '#': 't' } }, { headless: true, attrkey: '@', charkey: '#' }, '<a x="1">t</a>'],
    [{ a: 'x & y' }, { headless: true, cdata: true }, '<a><![CDATA[x & y]]></a>'],
  ])('%j with %j', async (json, options, expected) => {
    expect(await write(json, options)).toBe(expected);
  });

  test('an invalid element name is an error', async () => {
    await expect(write({ 'a b': 1, c: 2 })).rejects.toThrow('cannot be written as XML');
  });
});

test('the result replaces the item, paired with it; a failed item has an error if the node continues', async () => {
  const run = { json: [{ data: '<r>1</r>' }, { data: '<' }], continueOnFail: true };
  expect((await runNode(xml, run))[0]).toEqual([
    { json: { r: '1' }, pairedItem: { item: 0 } },
    { json: { error: expect.stringContaining('the XML cannot be read') }, pairedItem: { item: 1 } },
  ]);
});

test('the error for invalid XML contains a hint', async () => {
  const run = runNode(xml, { json: [{ data: '<a>' }] });
  await expect(run).rejects.toMatchObject({ description: expect.stringContaining('every tag closed'), itemIndex: 0 });
});
