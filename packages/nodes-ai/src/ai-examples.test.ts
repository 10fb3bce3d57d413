import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadAiNodeTypes } from './ai-node-types.ts';
import type { AiExample } from './testing/ai-example.ts';
import { runExample } from './testing/run-example.ts';

const fileOf = (name: string) => new URL(`./nodes/${name}/example.ts`, import.meta.url);
const names = (await loadAiNodeTypes()).map(({ description: { name } }) => name).filter((name) => existsSync(fileOf(name)));
const examples = await Promise.all(
  names.map(async (name) => [name, ((await import(fileOf(name).href)) as { example: AiExample }).example] as const),
);
const used = ({ nodes }: AiExample) => Object.values(nodes).map(({ type }) => type);

test.each(examples)('the example of %s uses it', (name, example) => {
  expect(used(example)).toContain(`ai.${name}`);
});

describe('examples', () => {
  test.each(examples.filter(([, { needs }]) => !needs))(
    'the example of %s produces the documented result',
    async (_, example) => {
      const { outcome, json } = await runExample(example);
      expect(outcome).toMatchObject({ status: 'success' });
      expect(json(example.output.node)).toEqual(example.output.items);
    },
  );
});
