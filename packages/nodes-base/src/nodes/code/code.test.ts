import { describe, expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { code } from './code.ts';

const fail = async () => {
  throw new Error('x is not defined');
};

describe('code', () => {
  test.each([
    [{}, 'allItems'],
    [{ mode: 'runOnceForEachItem', language: 'javaScript' }, 'eachItem'],
  ])('%j passes the source to the sandbox as %s and returns the result', async (parameters, mode) => {
    const requests: CodeRequest[] = [];
    const runCode = async (request: CodeRequest) => {
      requests.push(request);
      return [{ json: { a: 1 } }];
    };
    const output = await runNode(code, { parameters: { ...parameters, jsCode: 'return items' }, runCode });
    expect(requests).toEqual([{ source: 'return items', mode }]);
    expect(output).toEqual([[{ json: { a: 1 } }]]);
  });

  test.each(['runOnceForAllItems', 'runOnceForEachItem'])(
    'the editor’s initial code runs if no code is set: %s',
    async (mode) => {
      const sources: string[] = [];
      const runCode = async ({ source }: CodeRequest) => {
        sources.push(source);
        return [];
      };
      await runNode(code, { parameters: { mode }, runCode });
      const property = code.description.properties.find(({ displayOptions }) => displayOptions?.show?.['mode']?.includes(mode));
      expect(sources).toEqual([property?.default]);
      expect(sources[0]).toContain('json.myNewField = 1');
    },
  );

  test.each(['python', 'pythonNative'] as const)(
    '%s passes the Python code to the sandbox with its language',
    async (language) => {
      const requests: CodeRequest[] = [];
      const runCode = async (request: CodeRequest) => {
        requests.push(request);
        return [];
      };
      await runNode(code, { parameters: { language, pythonCode: 'return _items', jsCode: 'unused' }, runCode });
      expect(requests).toEqual([{ source: 'return _items', language, mode: 'allItems' }]);
    },
  );

  test('a failure fails the whole node, even if the node may continue', async () => {
    const run = { json: [{}, {}], parameters: { jsCode: 'x' }, runCode: fail, continueOnFail: true };
    await expect(runNode(code, run)).rejects.toThrow('x is not defined');
  });

  test.each([
    [{ language: 'ruby', jsCode: 'x' }, '"language"'],
    [{ language: 'python', pythonCode: ' ' }, '"pythonCode" is required'],
    [{ jsCode: ' ' }, '"jsCode" is required'],
    [{ mode: 'sometimes', jsCode: 'x' }, '"mode"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(runNode(code, { parameters })).rejects.toThrow(message);
  });
});
