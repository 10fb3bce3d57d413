import { expect, test } from '@jest/globals';
import { memoryOptions, memoryVariables } from './memory-options.ts';

const ours = ['--max-semi-space-size=8'];

test.each<[string, { execArgv?: string[]; variables?: Record<string, string> }, string[]]>([
  ['is ours by default', {}, ours],
  [
    'is ours alongside other options',
    { execArgv: ['--conditions=source'], variables: { NODE_OPTIONS: '--no-warnings' } },
    ours,
  ],
  ['of NODE_OPTIONS stays', { variables: { NODE_OPTIONS: '--no-warnings  --max-semi-space-size=32' } }, []],
  ['of NODE_OPTIONS stays, also with underscores', { variables: { NODE_OPTIONS: '--max_semi_space_size=32' } }, []],
  ['of the command line stays', { execArgv: ['--max-semi-space-size=32'] }, ['--max-semi-space-size=32']],
])('the size of the young generation %s', (_, { execArgv = [], variables = {} }, options) => {
  expect(memoryOptions({ execArgv, variables })).toEqual(options);
});

test('the number of arenas is ours unless the operator has set it', () => {
  expect(memoryVariables({ variables: {} })).toEqual({ MALLOC_ARENA_MAX: '2' });
  expect(memoryVariables({ variables: { MALLOC_ARENA_MAX: '4' } })).toEqual({ MALLOC_ARENA_MAX: '4' });
});
