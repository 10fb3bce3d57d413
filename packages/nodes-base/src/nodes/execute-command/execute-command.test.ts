import { describe, expect, test } from '@jest/globals';
import type { CommandAccess, JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { executeCommand } from './execute-command.ts';

const parameters = { command: '/bin/echo hi' };

/** Represents the operator's programs. */
function recorded(exitCode = 0) {
  const commandsRun: string[] = [];
  const commands: CommandAccess = {
    run: async (command) => {
      commandsRun.push(command);
      return { exitCode, stdout: 'out', stderr: 'err' };
    },
  };
  return { commands, commandsRun };
}

describe('execute command 1', () => {
  test('is refused if the operator allows no program', async () => {
    await expect(runNode(executeCommand, { parameters })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: 'commands are turned off',
      description: expect.stringContaining('EXECUTE_COMMAND_ALLOW'),
    });
  });

  test.each<[JsonObject, number]>([
    [{}, 1],
    [{ executeOnce: false }, 2],
  ])('%j runs the command for %d of two items', async (more, times) => {
    const { commands, commandsRun } = recorded();
    const json = await runForJson(executeCommand, { json: [{}, {}], parameters: { ...parameters, ...more }, commands });
    expect(json).toEqual(Array.from({ length: times }, () => ({ exitCode: 0, stdout: 'out', stderr: 'err' })));
    expect(commandsRun).toHaveLength(times);
  });

  test('a nonzero exit code is an error that includes the output', async () => {
    const { commands } = recorded(3);
    await expect(runNode(executeCommand, { parameters, commands })).rejects.toMatchObject({
      message: 'the command ended with exit code 3',
      details: { exitCode: 3, stdout: 'out', stderr: 'err' },
    });
  });
});
