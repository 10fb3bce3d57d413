import { expect, test } from '@jest/globals';
import type { ExecuteContext, Tool } from '@sluice/node-sdk';
import { toolCalculator } from './tool-calculator.ts';

const calculate = async (input: string): Promise<unknown> => {
  const runCode = async () => [{ json: { result: 1 } }];
  const calculator = (await toolCalculator.supply?.({ runCode } as unknown as ExecuteContext, 0)) as Tool;
  return calculator.run({ input }, new AbortController().signal);
};

test('an expression with unknown names or more than 10,000 characters is refused', async () => {
  expect(await calculate('pi * max(1, e)')).toBe('1');
  await expect(calculate('fetch(1)')).rejects.toThrow('is not an arithmetic expression');
  expect(await calculate('1+'.repeat(5_000))).toBe('1');
  await expect(calculate('sin '.repeat(16_000_000))).rejects.toThrow('the expression has more than 10000 characters');
});
