import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { apiCommand } from './commands/api.ts';
import { auditCommand } from './commands/audit.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { credentialsCommand } from './commands/credentials.ts';
import { doctorCommand } from './commands/doctor.ts';
import { executionsCommand } from './commands/executions.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { nodesCommand } from './commands/nodes.ts';
import { profilesCommand } from './commands/profiles.ts';
import { projectsCommand } from './commands/projects.ts';
import { upCommand } from './commands/up.ts';
import { usersCommand } from './commands/users.ts';
import { variablesCommand } from './commands/variables.ts';
import { workerCommand } from './commands/worker.ts';
import { workflowsCommand } from './commands/workflows.ts';
import type { Terminal } from './terminal.ts';

/**
 * The whole command line. Commands load their code when they run, so that each starts fast and
 * stays small.
 */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('sluice')
    .description('Workflow automation: a public REST API, a queue-backed fleet of workers, every run recorded.')
    .version(packageVersion(), '--version', 'print the version')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nSettings come from environment variables: .env.example lists them all. Exit codes and profiles: docs/cli.md.',
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

/** A usage error ends with the help command of the subcommand that failed. */
function withHelpHints(command: Command, path = command.name()): Command {
  for (const subcommand of command.commands) withHelpHints(subcommand, `${path} ${subcommand.name()}`);
  return command.showHelpAfterError(`see \`${path} --help\``);
}

/** The version of the release, from the manifest of this package. */
function packageVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
