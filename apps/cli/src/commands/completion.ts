import { Argument, Command } from 'commander';
import { candidates } from '../completion/candidates.ts';
import { type Shell, scripts } from '../completion/scripts.ts';
import type { Terminal } from '../terminal.ts';

const help = `
To enable completion in new shells:
  bash: sluice completion bash > ~/.local/share/bash-completion/completions/sluice
  zsh:  sluice completion zsh > "\${fpath[1]}/_sluice"
  fish: sluice completion fish > ~/.config/fish/completions/sluice.fish`;

export function completionCommand(terminal: Terminal): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: Shell) => terminal.line(scripts[shell].trimEnd()));
}

/** Called by the completion scripts: prints the possible next words, one per line. */
export function completeCommand(terminal: Terminal): Command {
  const command = new Command('complete').argument('[words...]').allowUnknownOption();
  return command.action((words: string[]) => {
    if (!command.parent) return;
    for (const word of candidates(command.parent, words)) terminal.line(word);
  });
}
