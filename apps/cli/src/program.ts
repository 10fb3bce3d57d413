import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { credentialsCommand } from './commands/credentials.ts';
import { doctorCommand } from './commands/doctor.ts';
import { executionsCommand } from './commands/executions.ts';
import { keysCommand } from './commands/keys.ts';
import { nodesCommand } from './commands/nodes.ts';
import { apiCommand, migrateCommand, upCommand, workerCommand } from './commands/processes.ts';
import { profilesCommand } from './commands/profiles.ts';
import { projectsCommand } from './commands/projects.ts';
import { usersCommand } from './commands/users.ts';
import { variablesCommand } from './commands/variables.ts';
import { workflowsCommand } from './commands/workflows.ts';
import type { Terminal } from './terminal.ts';

/** The `sluice` program. Each command loads its code when it runs, to save time and memory. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('sluice')
    .description('Workflow automation with a public REST API, queue-backed workers, and a record of every execution.')
    .version(packageVersion(), '--version', 'print the version')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nSettings are environment variables, listed in .env.example. docs/cli.md describes exit codes and profiles.',
    );
  program.addCommand(upCommand(terminal)).addCommand(apiCommand()).addCommand(workerCommand());
  const others = [
    migrateCommand,
    usersCommand,
    keysCommand,
    projectsCommand,
    workflowsCommand,
    executionsCommand,
    profilesCommand,
    credentialsCommand,
    variablesCommand,
    nodesCommand,
    auditCommand,
    doctorCommand,
    completionCommand,
  ];
  for (const make of others) program.addCommand(make(terminal));
  return withHelpHints(program.addCommand(completeCommand(terminal), { hidden: true }));
}

/** Ends each usage error with the help command of the failed subcommand. */
function withHelpHints(command: Command, path = command.name()): Command {
  for (const subcommand of command.commands) withHelpHints(subcommand, `${path} ${subcommand.name()}`);
  return command.showHelpAfterError(`see \`${path} --help\``);
}

/** The version in `package.json`. */
function packageVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
