import { AppError } from '@sluice/domain';
import { parse } from 'shell-quote';

interface ParsedCommand {
  program: string;
  args: string[];
}

/** Splitting so much blocks the event loop for 0.2 s; words of megabytes exceed the stack of the parser. */
const maxLength = 512 * 1024;

/**
 * Splits a command into a program and its arguments, by the quoting rules of a POSIX shell. Nothing
 * is expanded; features of a shell (pipes, redirections, several commands, patterns) throw
 * `COMMAND_REFUSED`.
 */
export function parseCommand(command: string): ParsedCommand {
  if (command.length > maxLength) throw refused(`the command has more than ${maxLength} characters`);
  if (hasOpenQuote(command)) throw refused('the command has a quote that is not closed');
  // Variables stay unexpanded: the environment of a command is empty.
  const words = parse(command, (name) => `$${name}`);
  const [program, ...args] = words.map((word) => {
    if (typeof word === 'string') return word;
    throw refused('a command runs without a shell, so it cannot have pipes, redirections, patterns or comments');
  });
  if (program === undefined || !program.startsWith('/')) throw refused('a command starts with the absolute path of a program');
  if (command.includes('\0')) throw refused('a command cannot contain U+0000');
  return { program, args };
}

/**
 * The parser would take an unclosed quote for a character. Within double quotes, a backslash
 * escapes; within single ones, nothing does.
 */
function hasOpenQuote(command: string): boolean {
  const closed = command.replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '');
  return /['"]/.test(closed);
}

function refused(message: string): AppError {
  return new AppError({ code: 'COMMAND_REFUSED', message });
}
