import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function doctorCommand(terminal: Terminal): Command {
  return new Command('doctor')
    .description(
      'check the settings and services of this machine for common mistakes, and print a fix for each; changes nothing',
    )
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => (await import('../doctor/doctor.ts')).doctor(options, terminal));
}
