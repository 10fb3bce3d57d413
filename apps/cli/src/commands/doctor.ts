import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function doctorCommand(terminal: Terminal): Command {
  return jsonCommand(
    'doctor',
    'check the settings and services of this machine for common mistakes, and print a fix for each; changes nothing',
  ).action(async (options: { json: boolean }) => (await import('../doctor/doctor.ts')).doctor(options, terminal));
}
