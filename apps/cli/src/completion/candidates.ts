import type { Command } from 'commander';

/** Words that may stand at the end of a command line: `words` are those after `sluice`, the last one incomplete. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  let isValue = false;
  for (const word of words.slice(0, -1)) {
    const found = isValue ? undefined : command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    isValue = !isValue && takesValue(command, word);
    command = found ?? command;
  }
  if (isValue) return [];
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
  return [...names, ...options, '--help'].filter((name, i, all) => name.startsWith(last) && all.indexOf(name) === i);
}

function takesValue(command: Command, word: string): boolean {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option !== undefined && (option.required || option.optional);
}
