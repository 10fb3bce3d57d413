import { expect, test } from '@jest/globals';
import { parseCommand } from './allowed-commands.ts';

test.each<[string, string[]]>([
  ['/bin/echo a  b', ['a', 'b']],
  ['/bin/echo \'a b\' "c d"', ['a b', 'c d']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell
  ['/bin/echo $HOME "${PATH}"', ['$HOME', '$PATH']],
  ['/bin/echo -n --x=1', ['-n', '--x=1']],
  [`/bin/echo "it's" 'a "b' it\\'s`, ["it's", 'a "b', "it's"]],
])('%s has the arguments %j', (command, args) => {
  expect(parseCommand(command)).toEqual({ program: '/bin/echo', args });
});

test.each([
  'echo a',
  './echo a',
  '',
  '/bin/echo a | /bin/cat',
  '/bin/echo a; /bin/id',
  '/bin/echo a && /bin/id',
  '/bin/echo a > /tmp/x',
  '/bin/echo `id`; true',
  '/bin/ls *',
  '/bin/echo a # b',
  '/bin/echo a\u0000b',
  "/bin/echo 'a",
  '/bin/echo a "b',
  `/bin/echo 'a' "b' c`,
])('%j is rejected', (command) => {
  expect(() => parseCommand(command)).toThrow(
    expect.objectContaining({ name: 'CommandRefusedError', code: 'COMMAND_REFUSED' }),
  );
});

test('a command with more than 512 Ki characters is rejected', () => {
  const ofLength = (length: number) => `/bin/echo ${'a'.repeat(length - 10)}`;
  expect(parseCommand(ofLength(524_288)).args).toHaveLength(1);
  expect(() => parseCommand(ofLength(524_289))).toThrow('the command has more than 524288 characters');
});
