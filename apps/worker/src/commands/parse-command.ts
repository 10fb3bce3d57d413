import { AppError } from '@sluice/domain';
import { parse } from 'shell-quote';

interface ParsedCommand {
  program: string;
  args: string[];
}

/**
 * Splitting so much blocks the event loop for 0.2 s; words of several megabytes overflow the
 * parser's stack.
 */
const maxLength = 512 * 1024;

/**
 * Splits a command into a program and its arguments, by POSIX shell quoting rules. Nothing is
 * expanded; shell features (pipes, redirections, several commands, patterns) throw
 * `COMMAND_REFUSED`.
 */
export function parseCommand(command: string): ParsedCommand {
  if (command.length > maxLength) throw refused(`the command has more than ${maxLength} characters`);
  if (hasOpenQuote(command)) throw refused('the command has a quote that is not closed');
  // Variables are not expanded: a command's environment is empty.
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
 * The parser would treat an unclosed quote as a character. A backslash escapes within double
 * quotes, but not within single quotes.
 */
function hasOpenQuote(command: string): boolean {
  const closed = command.replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '');
  return /['"]/.test(closed);
}

function refused(message: string): AppError {
  return new AppError({ code: 'COMMAND_REFUSED', message });
}
