import { GatheredBytes } from '@sluice/node-sdk';
import type { Client, ClientChannel } from 'ssh2';
import { closeReasonOf } from '../../clients/ssh-client.ts';
import { ByteBudget } from '../../shared/byte-budget.ts';

/** Exit status and output of a command. */
export interface CommandResult {
  /** Null if a signal ended it. */
  code: number | null;
  /** Signal name. */
  signal: string | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in a remote folder, with the user's shell, and waits until it ends. Trailing line
 * ends in its output are removed.
 */
export function runCommand(client: Client, command: string, folder: string): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const onClose = () => reject(closeReasonOf(client));
  client.once('close', onClose);
  client.exec(inFolder(command, folder), (error, channel) => {
    if (error) reject(error);
    else resultOf(channel).then(resolve, reject);
  });
  return promise.finally(() => client.off('close', onClose));
}

/**
 * Reads the output of a started command until it ends. Rejects, and ends it, if the output is too
 * large.
 */
function resultOf(channel: ClientChannel): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const [stdout, stderr] = [new GatheredBytes(), new GatheredBytes()];
  const budget = new ByteBudget((error) => {
    reject(error);
    channel.close();
  });
  const appendTo = (output: GatheredBytes) => (chunk: Buffer) => {
    budget.spend(chunk.length);
    output.add(chunk);
  };
  let exit: Pick<CommandResult, 'code' | 'signal'> = { code: null, signal: null };
  channel.on('data', appendTo(stdout));
  channel.stderr.on('data', appendTo(stderr));
  channel.on('exit', (code: number | null, signal?: string) => {
    exit = { code, signal: signal ?? null };
  });
  channel.on('close', () => resolve({ ...exit, stdout: textOf(stdout), stderr: textOf(stderr) }));
  channel.end();
  return promise;
}

function textOf(output: GatheredBytes): string {
  return output.bytes().toString().trimEnd();
}

/**
 * A command for the shell that runs nothing if the folder does not exist. The shell expands a
 * leading `~`.
 */
function inFolder(command: string, folder: string): string {
  if (folder === '') return command;
  const [, home = '', rest = ''] = /^(~(?=\/|$))?(.*)$/s.exec(folder) ?? [];
  return `cd ${home}${rest === '' ? '' : shellQuoted(rest)} || exit\n${command}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
