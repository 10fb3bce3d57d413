import { expect, test } from '@jest/globals';
import { memoryOptions, memoryVariables } from './memory-options.ts';

const limited = ['--max-semi-space-size=8'];

test.each<[string, { execArgv?: string[]; variables?: Record<string, string> }, string[]]>([
  ['is limited by default', {}, limited],
  [
    'is limited alongside other options',
    { execArgv: ['--conditions=source'], variables: { NODE_OPTIONS: '--no-warnings' } },
    limited,
  ],
  ['in NODE_OPTIONS is kept', { variables: { NODE_OPTIONS: '--no-warnings  --max-semi-space-size=32' } }, []],
  [
    'in NODE_OPTIONS is kept if it is spelled with underscores',
    { variables: { NODE_OPTIONS: '--max_semi_space_size=32' } },
    [],
  ],
  ['on the command line is kept', { execArgv: ['--max-semi-space-size=32'] }, ['--max-semi-space-size=32']],
])('the size of the young generation %s', (_, { execArgv = [], variables = {} }, options) => {
  expect(memoryOptions({ execArgv, variables })).toEqual(options);
});

test('the number of malloc arenas is limited unless the operator has set it', () => {
  expect(memoryVariables({ variables: {} })).toEqual({ MALLOC_ARENA_MAX: '2' });
  expect(memoryVariables({ variables: { MALLOC_ARENA_MAX: '4' } })).toEqual({ MALLOC_ARENA_MAX: '4' });
});
