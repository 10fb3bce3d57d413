import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { buildProgram } from './program.ts';

const program = buildProgram({ line: () => undefined, warn: () => undefined });
const documentation = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

test('docs/cli.md lists exactly the existing commands', () => {
  const [, table = ''] = /^## Commands\n(.*?)^## /ms.exec(documentation) ?? [];
  const rows = table.split('\n').map((line) => line.split('|')[1] ?? '');
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`([a-z -]+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(
    leavesOf(program)
      .map(([name]) => name)
      .filter((name) => name !== 'complete')
      .sort(),
  );
});

test('docs/cli.md lists every exit code', () => {
  const listed = [...documentation.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(exitCodes));
});

test('every command that prints results has --json', () => {
  /** These run a process, write files or scripts, or always print JSON. */
  const exempt = ['up', 'api', 'worker', 'workflows export', 'nodes new', 'completion', 'complete'];
  const withoutJson = leavesOf(program).filter(([, command]) => !command.options.some(({ long }) => long === '--json'));
  expect(withoutJson.map(([name]) => name).sort()).toEqual([...exempt].sort());
});

test.each([
  [['bogus'], 'sluice --help'],
  [['executions', 'bogus'], 'sluice executions --help'],
  [['keys', 'create', '--name', 'x'], 'sluice keys create --help'],
])('the error for %j points to the help of its command', (args, help) => {
  const errors: string[] = [];
  const writeErr = (text: string) => errors.push(text);
  for (const command of allOf(program)) command.exitOverride().configureOutput({ writeErr });
  expect(() => program.parse(args, { from: 'user' })).toThrow(/unknown/);
  expect(errors.at(-1)).toBe(`see \`${help}\`\n`);
});

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

function leavesOf(command: Command, path = ''): [string, Command][] {
  return command.commands.flatMap((subcommand): [string, Command][] => {
    const name = `${path}${subcommand.name()}`;
    return subcommand.commands.length > 0 ? leavesOf(subcommand, `${name} `) : [[name, subcommand]];
  });
}
