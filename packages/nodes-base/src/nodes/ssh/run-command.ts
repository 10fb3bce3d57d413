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
    else gather(channel).then(resolve, reject);
  });
  return promise.finally(() => client.off('close', onClose));
}

function gather(channel: ClientChannel): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const [out, err] = [new GatheredBytes(), new GatheredBytes()];
  const budget = new ByteBudget((error) => {
    reject(error);
    channel.close();
  });
  const take = (output: GatheredBytes) => (chunk: Buffer) => {
    budget.spend(chunk.length);
    output.add(chunk);
  };
  let exit: Pick<CommandResult, 'code' | 'signal'> = { code: null, signal: null };
  channel.on('data', take(out));
  channel.stderr.on('data', take(err));
  channel.on('exit', (code: number | null, signal?: string) => {
    exit = { code, signal: signal ?? null };
  });
  channel.on('close', () => resolve({ ...exit, stdout: textOf(out), stderr: textOf(err) }));
  channel.end();
  return promise;
}

function textOf(output: GatheredBytes): string {
  return output.bytes().toString().trimEnd();
}

/** Does not run the command if the folder does not exist. A leading `~` is left to the shell. */
function inFolder(command: string, folder: string): string {
  if (folder === '') return command;
  const [, home = '', rest = ''] = /^(~(?=\/|$))?(.*)$/s.exec(folder) ?? [];
  return `cd ${home}${rest === '' ? '' : quoted(rest)} || exit\n${command}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
