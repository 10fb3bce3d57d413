import { UserError } from './errors.ts';

/** Compiles a pattern; throws `UserError` for an invalid one. */
export function safeRegex(pattern: string, flags?: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new UserError(`"${pattern}" is not a regular expression`, { cause: error });
  }
}

/** `/pattern/flags`, or a pattern alone. */
export function parseRegexLiteral(text: string): RegExp {
  const literal = /^\/(.*)\/([dgimsuvy]*)$/s.exec(text);
  return literal ? safeRegex(literal[1] ?? '', literal[2]) : safeRegex(text);
}
