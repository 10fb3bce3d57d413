import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { html } from './html.ts';

const page = `<html><head><title>T</title></head><body>
  <h1 class="top">Big  title</h1><p>one<br>two</p><p>three <b>bold</b><span class="ad"> buy!</span></p>
  <ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul><input name="q" value="v"><select multiple><option>a<option selected>b<option selected>c</select><table><tr><td>cell</td></tr></table>
</body></html>`;

const extraction = (value: JsonObject, options: JsonObject = {}): JsonObject => ({
  operation: 'extractHtmlContent',
  extractionValues: { values: [{ key: 'x', ...value }] },
  options,
});

async function extract(value: JsonObject, typeVersion = 1.2, options: JsonObject = {}): Promise<JsonValue | undefined> {
  const [json] = await runForJson(html, { json: [{ data: page }], parameters: extraction(value, options), typeVersion });
  return json?.['x'];
}

test('a value without a key is stored in the field without a name', async () => {
  const parameters = { ...extraction({}), extractionValues: { values: [{ cssSelector: 'title' }] } };
  const [json] = await runForJson(html, { json: [{ data: '<title>Hi</title>' }], parameters });
  expect(json).toEqual({ '': 'Hi' });
});

describe('extracting content', () => {
  test.each<[JsonObject, JsonValue]>([
    [{ cssSelector: 'title' }, 'T'],
    [{ cssSelector: 'td', returnArray: true }, ['cell']],
    [{ cssSelector: '.top', returnValue: 'html' }, 'Big  title'],
    [{ cssSelector: 'li', returnValue: 'html', returnArray: true }, ['<a href="/a">A</a>', '<a href="/b">B</a>']],
    [{ cssSelector: 'a', returnValue: 'attribute', attribute: 'href' }, '/a'],
    [{ cssSelector: 'a', returnValue: 'attribute', attribute: 'href', returnArray: true }, ['/a', '/b']],
    [{ cssSelector: 'input', returnValue: 'value' }, 'v'],
    [{ cssSelector: 'select', returnValue: 'value' }, 'b,c'],
    [{ cssSelector: 'select', returnValue: 'value', returnArray: true }, ['b,c']],
    [{ cssSelector: 'a', returnValue: 'attribute', attribute: 'rel', returnArray: true }, [null, null]],
    [{ cssSelector: '.none', returnArray: true }, []],
    [{ cssSelector: 'table > tbody > tr > td' }, 'cell'],
  ])('%j yields %j in every version', async (value, expected) => {
    expect(await extract(value, 1)).toEqual(expected);
    expect(await extract(value, 1.1)).toEqual(expected);
    expect(await extract(value, 1.2)).toEqual(expected);
  });

  test.each<JsonObject>([
    { cssSelector: 'a', returnValue: 'attribute', attribute: 'rel' },
    { cssSelector: '.none', returnValue: 'html' },
    { cssSelector: '.none', returnValue: 'value' },
  ])('a missing value is omitted: %j', async (value) => {
    const parameters = extraction(value);
    for (const typeVersion of [1, 1.1, 1.2]) {
      expect(await runForJson(html, { json: [{ data: page }], parameters, typeVersion })).toEqual([{}]);
    }
  });

  test('missing text is omitted up to version 1.1, and empty from 1.2 on', async () => {
    expect(await extract({ cssSelector: '.none' }, 1.1)).toBeUndefined();
    expect(await extract({ cssSelector: '.none' }, 1.2)).toBe('');
  });

  test.each<[string, string, string]>([
    ['body', '<h1>Head</h1><p>a  b</p><p>c</p>', 'HEAD\n\na b\n\nc'],
    ['h1', '<h1>Head</h1>', 'Head'],
    ['body', '<ul><li>a<ul><li>b</li></ul></li></ul>', ' * a\n   * b'],
    ['body', '<ol><li>a</li><li>b</li></ol>', ' 1. a\n 2. b'],
    ['p', '<p>see <a href="/x">there</a><img src="i.png" alt="I"></p>', 'see there [/x]I [i.png]'],
    ['body', '<blockquote>a</blockquote>', '> a'],
    ['p', `<p>${'word '.repeat(20)}</p>`, `${'word '.repeat(16).trim()}\nword word word word`],
    ['p', '<p>a<script>b</script></p>', 'a'],
  ])('version 1.2 formats %s in %s as plain text', async (cssSelector, data, expected) => {
    const run = { json: [{ data }], parameters: extraction({ cssSelector }), typeVersion: 1.2 };
    expect(await runForJson(html, run)).toEqual([{ x: expected }]);
  });

  test.each([
    [1.1, {}],
    [1.2, { x: '' }],
  ])('an empty selector matches nothing in version %d', async (typeVersion, expected) => {
    const run = { json: [{ data: '<p>a</p>' }], parameters: extraction({ cssSelector: ' ' }), typeVersion };
    expect(await runForJson(html, run)).toEqual([expected]);
  });

  test('skip selectors of earlier versions have no effect', async () => {
    expect(await extract({ cssSelector: 'p', skipSelectors: 'p[' }, 1.1)).toBe('onetwothree bold buy!');
  });

  test('version 1.2 breaks lines between blocks and uses the first element, earlier versions use all', async () => {
    expect(await extract({ cssSelector: 'p' }, 1.1)).toBe('onetwothree bold buy!');
    expect(await extract({ cssSelector: 'p' }, 1.2)).toBe('one\ntwo');
  });

  test('version 1.2 omits skipped elements', async () => {
    expect(await extract({ cssSelector: 'p', skipSelectors: '.ad, b', returnArray: true })).toEqual(['one\ntwo', 'three']);
  });

  test('values are trimmed and cleaned with the options', async () => {
    const body = { cssSelector: 'h1, ul', returnValue: 'text' };
    expect(await extract(body, 1, { cleanUpText: true })).toBe('Big titleAB');
    const value = { cssSelector: 'body', returnValue: 'html' };
    expect(await extract(value, 1, { trimValues: true })).toMatch(/^<h1/);
  });

  test('each HTML text in a list becomes an item, paired with its input item', async () => {
    const run = {
      json: [{ d: { h: ['<i>1</i>', '<i>2</i>'] } }],
      parameters: { ...extraction({ cssSelector: 'i' }), dataPropertyName: 'd.h' },
    };
    expect(await runNode(html, run)).toEqual([
      [
        { json: { x: '1' }, pairedItem: { item: 0 } },
        { json: { x: '2' }, pairedItem: { item: 0 } },
      ],
    ]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['the field "data" must contain HTML', {}, extraction({ cssSelector: 'a' })],
    ['CSS selector', { data: 'x' }, extraction({ cssSelector: 'a >>' })],
    ['has no file in "data"', { data: 'x' }, { ...extraction({ cssSelector: 'a' }), sourceData: 'binary' }],
    ['nested more than 256', { data: '<ul><li>'.repeat(20_000) }, extraction({ cssSelector: 'a' })],
    ['nested more than 256', { data: '<i><b></i>'.repeat(20_000) }, extraction({ cssSelector: 'a' })],
    ['more than 100000 elements', { data: '<br>'.repeat(100_001) }, extraction({ cssSelector: 'a' })],
  ])('invalid input is reported: %s', async (message, json, parameters) => {
    await expect(runNode(html, { json: [json], parameters })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      itemIndex: 0,
    });
  });

  test.each([
    ['utf8', (text: string) => Buffer.from(text)],
    ['utf16le', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ] as const)('the HTML of a file is read: %s', async (_, encode) => {
    const binary = memoryBinary();
    const page = await binary.store(encode('<a>grün</a>'), { fileName: 'page.html' });
    const parameters = { ...extraction({ key: 'a', cssSelector: 'a' }), sourceData: 'binary', dataPropertyName: 'page' };
    const output = await runNode(html, { inputs: [[{ json: {}, binary: { page } }]], binary, parameters });
    expect(output).toEqual([[{ json: { a: 'grün' }, pairedItem: { item: 0 } }]]);
  });

  test('an attribute without a name returns all attributes, which are not trimmed', async () => {
    const parameters = {
      ...extraction({ key: 'a', cssSelector: 'a', returnValue: 'attribute' }),
      options: { trimValues: true },
    };
    expect(await runForJson(html, { json: [{ data: '<a href=" x ">k</a>' }], parameters })).toEqual([{ a: { href: ' x ' } }]);
  });

  test('a failed item has an error if the node continues', async () => {
    const json: JsonObject[] = [{}, { data: '<a>1</a>' }];
    const run = { json, parameters: extraction({ cssSelector: 'a' }), continueOnFail: true };
    expect(await runForJson(html, run)).toEqual([{ error: expect.stringContaining('"data"') }, { x: '1' }]);
  });
});

describe('a template', () => {
  test('returns its text, paired with the item', async () => {
    const run = { json: [{}, {}], parameters: (index: number) => ({ html: `<p>${index}</p>` }) };
    expect(await runNode(html, run)).toEqual([
      [
        { json: { html: '<p>0</p>' }, pairedItem: { item: 0 } },
        { json: { html: '<p>1</p>' }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  test('evaluates its braces without a leading "="', () => {
    const template = html.description.properties.find(({ name }) => name === 'html');
    expect(template?.isTemplate).toBe(true);
  });
});

describe('a table', () => {
  const table = async (options: JsonObject) =>
    (
      await runForJson(html, {
        json: [
          { a_b: 1, ok: true },
          { a_b: '<i>x</i>', c: [1, 2], ok: null },
        ],
        parameters: { operation: 'convertToHtmlTable', options },
      })
    )[0]?.['table'];

  test('has a column for each field, and unescaped values', async () => {
    expect(await table({ customStyling: true })).toBe(
      '<table  ><thead  ><tr><th>a_b</th><th>ok</th><th>c</th></tr></thead><tbody>' +
        '<tr  ><td  >1</td><td  ><input type="checkbox" checked="checked"/></td><td  ></td></tr>' +
        '<tr  ><td  ><i>x</i></td><td  ></td><td  >1,2</td></tr></tbody></table>',
    );
  });

  test('is an error for items that share no field, before it fills the memory', async () => {
    const json = Array.from({ length: 3_000 }, (_, n) => ({ [`field${n}`]: n }));
    const run = { json, parameters: { operation: 'convertToHtmlTable' } };
    await expect(runForJson(html, run)).rejects.toMatchObject({ code: 'NODE_OPERATION_ERROR' });
  });

  test('has a caption, attributes, and capitalized headers with the options', async () => {
    const text = await table({ caption: 'C', tableAttributes: 'id="t"', rowAttributes: 'class="r"', capitalize: true });
    expect(text).toContain('<caption>C</caption>');
    expect(text).toMatch(/^<table style='[^']+' id="t">/);
    expect(text).toContain('<tr  class="r">');
    expect(text).toContain('>A B</th>');
  });
});

test.each<JsonObject>([{ cssSelector: 'p[' }, { cssSelector: 'p', skipSelectors: 'p[' }])(
  'the error for an invalid CSS selector contains it and an example: %j',
  async (selectors) => {
    const parameters = { operation: 'extractHtmlContent', extractionValues: { values: [{ key: 'a', ...selectors }] } };
    await expect(runNode(html, { json: [{ data: '<p>' }], parameters })).rejects.toMatchObject({
      message: 'the CSS selector "p[" cannot be used',
      description: expect.stringContaining('.price'),
      itemIndex: 0,
    });
  },
);
