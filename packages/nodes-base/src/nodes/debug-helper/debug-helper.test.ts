import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { debugHelper } from './debug-helper.ts';

const random = (randomDataType: string, more: JsonObject = {}) =>
  runForJson(debugHelper, { parameters: { category: 'randomData', randomDataType, ...more } });

describe('debug helper 1', () => {
  test('fails by default, and outputs nothing if set to do nothing', async () => {
    await expect(runNode(debugHelper, {})).rejects.toThrow('failed as configured');
    expect(await runNode(debugHelper, { parameters: { category: 'doNothing' } })).toEqual([[]]);
  });

  test.each(['NodeApiError', 'NodeOperationError', 'Error'])('throws a %s with the message', async (throwErrorType) => {
    const parameters = { category: 'throwError', throwErrorType, throwErrorMessage: 'on purpose' };
    await expect(runNode(debugHelper, { parameters })).rejects.toMatchObject({ message: 'on purpose' });
  });

  test.each([
    ['address', ['city', 'country', 'firstname', 'lastname', 'state', 'street', 'zip']],
    ['latLong', ['location']],
    ['creditCard', ['ccv', 'exp', 'holder_name', 'number', 'type']],
    ['email', ['confirmed', 'email']],
    ['ipv4', ['ip']],
    ['ipv6', ['ipv6']],
    ['macAddress', ['mac']],
    ['nanoid', ['nanoId']],
    ['url', ['url']],
    ['user', ['email', 'firstname', 'lastname', 'password', 'uid']],
    ['uuid', ['uuid']],
    ['semver', ['version']],
  ])('random data of type %s has the fields %j', async (type, fields) => {
    const data = await random(type, { randomDataCount: 3 });
    expect(data.map((json) => Object.keys(json).sort())).toEqual([fields, fields, fields]);
  });

  test('the same seed yields the same data, and another seed yields other data', async () => {
    const [first, again, other] = await Promise.all(
      ['a', 'a', 'b'].map((randomDataSeed) => random('user', { randomDataSeed })),
    );
    expect(first).toHaveLength(10);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('IDs have the given alphabet and length', async () => {
    const [item] = await random('nanoid', { nanoidAlphabet: 'ab', nanoidLength: '40', randomDataCount: 1 });
    expect(item?.['nanoId']).toMatch(/^[ab]{40}$/);
  });

  test.each<JsonObject>([{ randomDataCount: 10_001 }, { randomDataCount: -1 }, { nanoidAlphabet: '' }, { nanoidLength: 1e9 }])(
    '%j is refused',
    async (parameters) => {
      await expect(random('nanoid', parameters)).rejects.toThrow(/randomDataCount|alphabet/);
    },
  );

  test('memory is allocated in the sandbox, not in the worker', async () => {
    const sources: string[] = [];
    const json = await runForJson(debugHelper, {
      parameters: { category: 'oom', memorySizeValue: 3 },
      runCode: async ({ source }) => {
        sources.push(source);
        return [{ json: { allocatedMb: 3 } }];
      },
    });
    expect(json).toEqual([{ allocatedMb: 3 }]);
    expect(sources).toEqual([expect.stringContaining('i < 3;')]);
  });
});
