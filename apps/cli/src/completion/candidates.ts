import type { Command } from 'commander';

/** Completions for the last of `words`, the words after `sluice` on a command line. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  let isValue = false;
  for (const word of words.slice(0, -1)) {
    const subcommand = isValue ? undefined : command.commands.find((it) => it.name() === word || it.aliases().includes(word));
    isValue = !isValue && takesValue(command, word);
    command = subcommand ?? command;
  }
  if (isValue) return [];
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((subcommand) => subcommand.name());
  return [...names, ...options, '--help'].filter((name, i, all) => name.startsWith(last) && all.indexOf(name) === i);
}

function takesValue(command: Command, word: string): boolean {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option !== undefined && (option.required || option.optional);
}
