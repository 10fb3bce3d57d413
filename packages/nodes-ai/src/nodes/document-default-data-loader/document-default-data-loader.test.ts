import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { samplePdf } from '../../../../nodes-base/src/testing/sample-pdf.ts';
import { zipOf } from '../../../../nodes-base/src/testing/zip-of.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

interface Found {
  text: string;
  metadata: JsonObject;
}

async function load(
  parameters: JsonObject,
  {
    typeVersion = 1.1,
    items = [{}],
    files = {},
    nodes = {},
  }: {
    typeVersion?: number;
    items?: JsonObject[];
    files?: Record<string, string | Uint8Array>;
    nodes?: Record<string, AiNode>;
  } = {},
): Promise<{ documents: Found[]; error: unknown }> {
  const binary = memoryBinary();
  const stored = Object.entries(files).map(async ([fileName, content]) => {
    const property = fileName.replace(/\.\w+$/, '');
    return [property, await binary.store(Buffer.from(content), { fileName })] as const;
  });
  const asker: AiNode = {
    type: {
      ...supplierType('asker', 'main', () => undefined),
      execute: async (context) => {
        const [loader] = await context.connected('ai_document', 0);
        const documents = await loader?.value.load({}, context.signal);
        return [[{ json: { documents: documents as never } }]];
      },
    },
  };
  const loader: AiNode = {
    type: '@n8n/n8n-nodes-langchain.documentDefaultDataLoader',
    typeVersion,
    parameters,
    to: { Asker: 'ai_document' },
  };
  const run = await engine.run({ Asker: asker, Loader: loader, ...nodes }, items, {
    binary,
    files: Object.fromEntries(await Promise.all(stored)),
  });
  const error = run.outcome.status === 'error' ? run.outcome.error : undefined;
  return { documents: (run.json('Asker')[0]?.['documents'] ?? []) as unknown as Found[], error };
}

const texts = ({ documents }: { documents: Found[] }) => documents.map(({ text }) => text);

describe('JSON', () => {
  test('the whole item, with metadata', async () => {
    const parameters = { options: { metadata: { metadataValues: [{ name: 'from', value: '={{ $json.a }}' }] } } };
    const { documents } = await load(parameters, { items: [{ a: 'x' }] });
    expect(documents).toEqual([
      {
        text: '{\n  "a": "x"\n}',
        metadata: { source: 'blob', blobType: 'application/json', from: 'x', loc: { lines: { from: 1, to: 3 } } },
      },
    ]);
  });

  test('text from an expression is split as the version specifies', async () => {
    const items = [{ a: 'word '.repeat(300) }];
    const parameters = { jsonMode: 'expressionData', jsonData: '={{ $json.a }}' };
    expect(texts(await load(parameters, { items })).map(({ length }) => length)).toEqual([999, 699]);
    expect(await load(parameters, { items, typeVersion: 1 }).then(texts)).toHaveLength(1);
    const splitter = {
      type: 'ai.text-splitter-character-text-splitter',
      parameters: { separator: ' ', chunkSize: 499 },
      to: { Loader: 'ai_textSplitter' },
    };
    const custom = { ...parameters, textSplittingMode: 'custom' };
    expect(await load(custom, { items, nodes: { Splitter: splitter } }).then(texts)).toHaveLength(3);
    expect((await load(custom, { items })).error).toMatchObject({ message: 'no text splitter is connected' });
  });
});

const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const wordXml = Buffer.from(
  `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>${paragraph('Fish &amp; chips ')}${paragraph('2<w:t>nd</w:t>')}</w:body></w:document>`,
);
const docx = zipOf([{ name: 'word/document.xml', deflated: deflateRawSync(wordXml), size: wordXml.length }]);

describe('files', () => {
  test.each<[string, string | Uint8Array, JsonObject, string[]]>([
    ['a.csv', 'name,age\nAda,36\nAlan,41\n', {}, ['name: Ada\nage: 36', 'name: Alan\nage: 41']],
    ['a.csv', 'name;age\nAda;36\n', { options: { separator: ';', column: 'age' } }, ['36']],
    ['a.json', '{"a":{"b":"x"},"c":["y"]}', { options: { pointers: '/a/b, /c/0, /d' } }, ['x', 'y']],
    ['a.json', '{"a":1}', {}, ['{\n  "a": 1\n}']],
    ['a.md', '# Title', {}, ['# Title']],
    ['a.bin', 'plain', { loader: 'textLoader' }, ['plain']],
    ['a.pdf', samplePdf([['One'], ['Two']]), {}, ['One', 'Two']],
    ['a.pdf', samplePdf([['One'], ['Two']]), { options: { splitPages: false } }, ['One\n\nTwo']],
    ['a.docx', docx, {}, ['Fish & chips \n2nd']],
  ])('%s: %#', async (name, content, parameters, expected) => {
    const loaded = await load({ dataType: 'binary', ...parameters }, { files: { [name]: content } });
    expect(loaded.error).toBeUndefined();
    expect(texts(loaded)).toEqual(expected);
  });

  test('all files of an item, or one', async () => {
    const files = { 'a.txt': 'one', 'b.txt': 'two' };
    expect(texts(await load({ dataType: 'binary' }, { files }))).toEqual(['one', 'two']);
    const parameters = { dataType: 'binary', binaryMode: 'specificField', binaryDataKey: 'b' };
    expect(texts(await load(parameters, { files }))).toEqual(['two']);
    expect((await load({ ...parameters, binaryDataKey: 'c' }, { files })).error).toMatchObject({
      message: 'the item has no file "c"',
      description: expect.stringContaining('a, b'),
    });
  });

  test.each<[string, string, JsonObject, string]>([
    ['a.png', 'x', {}, 'cannot read files of the type image/png'],
    ['a.pdf', 'x', {}, 'the PDF file cannot be read'],
    ['a.docx', 'x', {}, 'archive'],
    ['a.epub', 'x', {}, 'EPUB'],
    ['a.csv', 'a\n1', { options: { column: 'z' } }, 'has no column "z"'],
  ])('the error for unreadable %s says why', async (name, content, parameters, message) => {
    const { error } = await load({ dataType: 'binary', ...parameters }, { files: { [name]: content } });
    expect(error).toMatchObject({ message: expect.stringContaining(message), description: expect.any(String) });
  });
});
