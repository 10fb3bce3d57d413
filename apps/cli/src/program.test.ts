import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { buildProgram } from './program.ts';

const program = buildProgram({ line: () => undefined, warn: () => undefined });
const documentation = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

/** Full names of the commands that do something: `keys create`. */
function namesOf(command: Command, path = ''): string[] {
  return command.commands.flatMap((one) => {
    const name = `${path}${one.name()}`;
    return one.commands.length > 0 ? namesOf(one, `${name} `) : [name];
  });
}

test('docs/cli.md lists every command, and no other', () => {
  const [, table = ''] = /^## Commands\n(.*?)^## /ms.exec(documentation) ?? [];
  const rows = table.split('\n').map((line) => line.split('|')[1] ?? '');
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`([a-z -]+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(
    namesOf(program)
      .filter((name) => name !== 'complete')
      .sort(),
  );
});

test('docs/cli.md lists every exit code', () => {
  const listed = [...documentation.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual([...Object.values(exitCodes), 130]);
});
