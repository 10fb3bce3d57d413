import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { readEnv, renderEnvExample, toConfig } from './index.ts';

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');

test('.env.example lists each setting with its meaning and default (`./dev env:example` writes it)', () => {
  expect(example).toBe(renderEnvExample());
});

test('.env.example, used unchanged, means the defaults', () => {
  expect(toConfig(readEnv(parseEnv(example)))).toEqual(toConfig({}));
});
