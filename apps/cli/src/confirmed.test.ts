import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirmed } from './confirmed.ts';

/** Types `text` at the prompt; `null` closes the terminal. */
function answer(text: string | null): Promise<boolean> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const result = confirmed('Delete?', { input, output });
  if (text === null) input.end();
  else input.write(text);
  return result;
}

test.each<[string, string | null, boolean]>([
  ['y', 'y\r', true],
  ['Yes', ' Yes \r', true],
  ['another string', 'yeah\r', false],
  ['nothing', '\r', false],
  ['Ctrl-D', '\x04', false],
  ['the end of the input', null, false],
])('answered with %s', async (_name, text, expected) => {
  expect(await answer(text)).toBe(expected);
});

test('Ctrl-C at the prompt ends the command with the exit code of an interrupt', async () => {
  await expect(answer('\x03')).rejects.toMatchObject({ exitCode: 130 });
});

test('without a terminal, the error names the option that skips the prompt', async () => {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY: false }), new PassThrough()];
  await expect(confirmed('Delete?', { input, output })).rejects.toThrow('--yes');
});
